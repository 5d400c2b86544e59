/**
 * English words of offices, workshops, kitchens and schools. With them nobody can name a model, its orders, an address,
 * a secret, money, a command, or what should be kept from somebody: `src/likeness/errands.ts` lives by that. Left out for
 * this reason, however common: account, act, click, code, delete, follow, forward, ignore, instead, instructions, key,
 * link, mention, money, nobody, password, pay, remove, reveal, rules, say, script, system, text, url, word.
 */
export const EVERYDAY_WORDS: ReadonlySet<string> = new Set(
  (
    'a able about above abstract accept acceptable accompany achieve action adapt add added adds adjust admire admit ' +
    'adopt advice afford afraid after afternoon afterwards again against agenda agree agreed aim airline airport aisle ' +
    'aisles alert alerts all allergy allow alone alphabetical already also although always am amend among amount an ' +
    'analyse analyst analyze and animal animals annex annexes anniversary announce annual another answers any anybody ' +
    'anyone anything apartment api apologise apologize apology app appeal appear appendix apple apples applicants apply ' +
    'appointment appreciate approval approve approved apps april architect archive archives are area aren argue argument ' +
    'arguments arise arrange array arrival arrived art article artifact artifacts as asap ask asked asks assemble ' +
    'assembly assertion assertions assess assign assigned assist assume at attach attached attachment attend attendance ' +
    'attendees attention attic audience audio audit auditors august aunt author authority automatic automatically autumn ' +
    'availability available average avoid await award aware away baby back backlog bad badge bag bake baker balance ball ' +
    'banana band bandage banner banners bar barcode barn barrier base basic basket bathroom batteries battery be beach ' +
    'bear beat beautiful because become bed bee beekeeper been beer bees before beforehand began begin begun behave ' +
    'behind being believe bell belong below benchmark benchmarks bend beside best better between beyond bicycle big ' +
    'bigger bike bin bind biology bird birds birthday bite black blanket blocker blockers blood blow blue board body boil ' +
    'boiler bold book booked booking books boolean borrow boss both bother bottle bottom bought bow bowl box boxes boy ' +
    'boys brakes branch brave bread break breakfast breathe brick bridge brief bright bring brochure broken broom brother ' +
    'brought brown browser brush bucket budget buffer bug bugs build building builds built bulb bullet bullets bump bus ' +
    'busy but butcher butter button buttons buy by cabin cabinet cable cache caches cake calculate calendar call called ' +
    'calls calm came camera camper campers campsite can canary cancel cancelled candles capacity capsule captain caption ' +
    'captions car card cards care careful carefully caretaker carpenter carpet carried carrots carry carton cartons carve ' +
    'case cases cat catalogue catch category cats celebrate cellar ceremony certain certainly certificate chair chairman ' +
    'chairs change changed changelog changes channel chapter charger chart chat cheap check checkbox checked checklist ' +
    'checks cheers cheese chemistry chicken chief child children chocolate choir choose chop chosen christmas church ci ' +
    'cinema circle city claim claims class classes clause clauses clean cleaned clear clearly clerk clever client clients ' +
    'climate climb clinic clock close closed closes cloth club cluster clusters coach coat codebase coffee cold ' +
    'collaborate colleague colleagues collect collected color colour column combine come comes comfort comfortable ' +
    'comment comments commit commits committed committee common communicate companies company compare compile compiler ' +
    'complain complaint complaints complete completed complex compliance component components compost computer concern ' +
    'concert conclude conduct conference config configuration confirm confirmation confirmed conflict conflicts confusion ' +
    'congratulate connect consider consist constant constants construct consult consultant contact contain container ' +
    'containers contents continue contract contracts contribute controller convenience convenient cook cooked cool ' +
    'coordinate cope copies copy corner correct correction corrections correctly corridor cost costume costumes cotton ' +
    'cough could couldn council count counter county courier course court cousin cover coverage cow cows crack cracks ' +
    'crash crashed crashes crawl cream create crew criticise cron crop crops cross crossing cry css csv cupboard cups ' +
    'cure curious curly current curtain curtains customer customers cut cyclist cyclists czech dad daily damage damages ' +
    'damp dance danger dangerous danish dark darkmode dashboard dashboards data database date dates daughter day days ' +
    'deadline dear debug december decide deck decorate decrease dedicate deep default define degree degrees delay ' +
    'delicious delighted deliver delivered delivery demonstrate dentist department departure depend dependencies ' +
    'dependency deploy deployment deployments depth deputy describe description deserve design designer desk desks detach ' +
    'detailed details determine develop developer developers diagram did didn diff difference different difficult dig ' +
    'digest dinner director directories directory dirt discount discover discuss discussed discussion dish dislike ' +
    'dismount distance distribute distribution district divide do docker docs docstring docstrings doctor document ' +
    'documents does doesn dog doing don done door doors dosage dose double down downtime dozen draft drafted drafts drag ' +
    'draw drawer drawers drawing drawings dream dress drift drill drink drip drive driven driver drop dropdown drums dry ' +
    'dumbbell duplicate duplicates during dust dutch each earlier earliest early earn east easter easy eat eaten edit ' +
    'editor egg eggs eight either elect electrician elevator elevators eleven else email emails emergency emphasise ' +
    'employ employee employees empty enclose encourage end endpoint endpoints engine engineer engineers english enjoy ' +
    'enough ensure enter entertain entire entrance entries entry enum envelope epic equal error errors escalate escalator ' +
    'essay establish estimate estimates eta evacuate evacuation evaluate even evening event every everybody everyone ' +
    'everything exact exactly exam examine example examples excellent except exception exceptions excited exciting ' +
    'exercise exercises exhibition exist exit exits expand expect expense expenses expensive experience explain explore ' +
    'express extend extra face facilities fade fail failed fails failure failures fair fall fallen false family famous ' +
    'fantastic faq farmer farther fast father fault faulty favorite favourite fear feature features february fee feed ' +
    'feedback feel fellow felt fence ferry fertiliser festival fetch few fewer field fifteen fifty fight figure figures ' +
    'file fill filled film films final find findings fine finish finished finnish fire fireplace firewood firm first fish ' +
    'fisherman fit five fix fixed flag flaky flat flicker flight flights float floor flow flowers flown fly flyer flyers ' +
    'focus fold folder following font fonts food football footer footnote footnotes for force foreign forest forgive fork ' +
    'forklift form format forms fortnight forty found four foyer free freeze freezer freezes french fresh friday fridge ' +
    'friend friendly friends from front frozen fruit fry fulfil full fun function functions funeral funny furniture ' +
    'further future gain gallery garage garden gardener garlic gas gate gather gentle geography german get gets getting ' +
    'girl girls git give given glad glass glasses glossary gloves glue go goal goals goat goes going golden gone good ' +
    'goods got grab gram grammar grams grandma grandpa graph graphs grass grateful great greek green greenhouse greet ' +
    'greetings grey ground group grow grown guardrail guest guests guide guidelines guitar gym had hadn hairdresser half ' +
    'hall hammer hand handbook handed handle handrail handwriting handy hang hangs happy harbour hard harvest has hasn ' +
    'hat hate have haven having he head header headers headline headlines headmaster heads heal healthy heap hear heard ' +
    'hearing heat heater heating heavy hedge height held hello helmet help helpful her here hers hey hi high higher ' +
    'highlight highlights highway hiker hikers hill him hint hints hire his history hit hive hold holiday holidays home ' +
    'homework hope hopeful horse horses hospital hot hotel hotfix hour hours house how however hr html huge hundred ' +
    'hundreds hungarian hungry hunt hurry hurt husband hut hypothesis i icon icons id idea ideas identify ids if ill ' +
    'illustrate image images imagine immediately implement important impossible impress impressive improve in inch inches ' +
    'incident include includes incomplete incorrect increase indentation independent index indicate influence info inform ' +
    'information inner insert inside inspect inspection inspector instructor integer integration intend interest ' +
    'interested interesting interface interfaces intern international interns interpret interrupt interval interview into ' +
    'intro introduce investigate invitation invitations invite invited invoice involve iron is isn issue issues it item ' +
    'items its jacket january job jobs join joined joint json judge juice july jump june junior jury just justify keep ' +
    'kept kerb kettle keynote kick kickoff kid kids kilo kilos kind kindly kitchen knife knit knock know known lab label ' +
    'labels ladder lake lamp land landlord lane lanes language languages lantern laptop large last late latency later ' +
    'latest laugh launch law lawn laws lawyer lay layout lazy lead leads leaflet league leak leaks lean learn lease least ' +
    'leave lecture lectures led left lend length lent less lesson let lets letter letters level librarian library licence ' +
    'license lie lifeguard lifejacket lift light lights like likely limit line lines lint linter list listed listen lists ' +
    'litre litres litter little live lively ll locate location lock locker lockers lockfile log logo logs lonely long ' +
    'longer look looks loop loose lose lost lot loud love lovely low lower lowest lucky luggage lunch made magazine mail ' +
    'mails main maintain maintenance major make makes making man manage manager manufacture many map march margin ' +
    'margins mark marked marketing master mat match material materials maths matter maximum may maybe mayor me meal meals ' +
    'mean means meant meantime measure measurements meat mechanic medal medical medicine meet meeting meetings melt ' +
    'members memo memory men mend menu merge merged message messages met method methods metre metres metric metrics ' +
    'middle might migrate migration migrations mild mile miles milestone milestones milk mind mine minimum minister ' +
    'ministry minor minute minutes miss missed missing mistake mistakes mix mixed mock mocks modal modern modify module ' +
    'moment monday monitor monitored monitors month monthly months more morning most mother motivate motorist motorists ' +
    'motorway mould mountain mountains move moved movie much mug multiply mum museum music must my nails name namespace ' +
    'napkins narrow natural navbar near neat necessary need needed needle needn needs neighbor neighbour neighbours ' +
    'nervous never new newer news newsletter newspaper next nice night nightly nine no nod node nodes noise noisy noon ' +
    'nor normal normalise north norwegian not note noted notes nothing notice notify november now npm null number nurse ' +
    'nursery o observe obtain obvious occur october odd odour of off offer office officer offices official often oil ok ' +
    'okay old older on oncall once one ones ongoing onion onions online only onto open opened operate opinion ops ' +
    'optimise optimize option optional or orchestra order ordered ordinary organic organise organize original other ' +
    'others otherwise ought our ours out outage outdoor outer outline outside oven over overall overdue overlap owe own ' +
    'owner pack package packages page pager pages pagination paint painter painting pair pairs pale pallet pallets pan ' +
    'panel paper papers paragraph paragraphs parameter parameters parcel parcels parents park parking parser part ' +
    'participants participate particular partner parts party passenger passengers past pasta paste patch path paths ' +
    'patient patients pause pavement pdf pedestrian pedestrians peel pen pencil pens people pepper per percent percentage ' +
    'perfect perform perhaps permit person pharmacy phone photo photograph photographer photographs photography photos ' +
    'physics piano pick picture pictures piece pier pillow pilot ping pink pipeline pipelines pizza place plain plan ' +
    'planning plans plant plants plate plates platform play player pleasant please plug plumber pm pod pods point points ' +
    'policies policy polish polite politely pool poor popular portal positive possible post poster posters postpone pot ' +
    'potatoes pour pr practice practise praise precise predict preliminary prepare prepared present presentation presents ' +
    'president press pressure pretty prevent previous price prices primary principal print printed printer priority ' +
    'privacy problem problems proceed process produce product products professional program programme programmer project ' +
    'projector projects promise promote pronounce proofread proper properly property proposal propose props protect proud ' +
    'prove provide prs pruning public publish pull pulse punish pupil pupils purchase purple pursue push put python qa ' +
    'quality quarter questions queue queues quick quickly quiet quit quite quote quotes race rack radiator rain raise ' +
    'ramp range ranger rapid rare rather raw re reach react read reader readers reading readme ready real realise ' +
    'reasonable rebase recall receipt receive received recent recently reception recipe recipes recognise record recover ' +
    'recycle recycling red reduce refactor refer referee reference reflect regard regards regional registration registry ' +
    'regression regressions regret regular regulation regulations rehearsal reject relate related relax release relevant ' +
    'reliable relieve rely remain remaining remains remark remember remind reminder remote rename reopen repair repairs ' +
    'replace replacement replica replicas replies reply repo report reports repos repositories repository represent ' +
    'reproduce reproduced reproduces reproducible request requests require requirement requirements rerun reschedule ' +
    'rescue research researcher researchers resend reservation reserve reset residents resign resolution resolve rest ' +
    'restart restore result results retire retries retro retrospective retry return returned reverse review reviewed ' +
    'revise revision rewrite rice rich ridden ride right ring rinse rise risen river road roadmap roll rollback rollout ' +
    'romanian room rooms rope rotation rotten rough round route row rows royal rub rubbish rude ruin run running rush ' +
    'russian s sad safe safety sail sailor salad sales salt same sample samples sand satisfy saturday sauce save saw ' +
    'saying scale scared scarf schedule scheduled scheduler school schools science scratch scream screen screenshot ' +
    'screenshots screws sculpture sea seal searching seat seatbelt seats second secretary section sections see seed ' +
    'seedling seeds seem seen sell seller semicolon seminar send sending sends senior sensible sensor sent separate ' +
    'september series serious serve server servers service services session set setting settings settle seven several ' +
    'severe severity sew shake shall shallow share shared sharp she shed sheep sheet sheets shelf shelves shift shifts ' +
    'shine shiny ship shirt shirts shoes shop shopper shoppers shops short shorten shorter should shouldn shout show ' +
    'shower shown shrug shut shy sick side sidebar sign signature signed silent silk silly silver similar simple simplify ' +
    'since sincerely sing single sink siren sister sit site six size sizes skipper sleep slept slice slide slides slip ' +
    'slogan slot slow slowly small smaller smell smile smoke smooth snapshot sneeze snow so soap socket socks sofa soft ' +
    'soil sold solicitor solid solve some somebody someone something son song songs soon sorry sort sound soup sour ' +
    'source sources south space spacing spare speak speaker speakers spec special specific specification specify speech ' +
    'speed spell spelling spend spicy spill spin split spoil spoken sponge spoon sports spread spreadsheet spring sprint ' +
    'square squash squeeze stable stack stacktrace staff stage staging stairs stall stamp stand standup star stare stars ' +
    'start state statement station status stay steep step steps stick sticker stickers sticky stiff still stir stock ' +
    'stocktake stone stood stop storage store storm stove straight strange street stretch strict strike string strong ' +
    'struct struggle stuck student students study stupid style subject submit submitted subscription succeed successful ' +
    'such sudden suffer sugar suggest suggestions suit suitable suitcases sum summaries summarise summarize summary ' +
    'summer summit sun sunday sung sunny supervisor supplier suppliers supply support suppose sure surgery surprise ' +
    'surround survey survive suspect sustain swallow swap swear swedish sweep sweet swim swimmer swimmers swimming swing ' +
    'switch swum symptoms syntax t tab table tables tablet tablets tabs tackle tag take taken takes talented talk tall ' +
    'tank tap tape task tasks taste tasty taxi tea teach teacher teachers team teams tear technical tell temperature ' +
    'template templates temporary ten tenant tenants tend tender tennis tent terms terrible test tested tester testers ' +
    'tests than thank thanks that the theatre their them theme then there these they thick thin thing things think third ' +
    'thirsty thirteen thirty this thorough those though thousand thread three threshold through throughput throw thrown ' +
    'thursday tick ticket tickets tidy tie tight till time timeline timeout times timetable tiny tip tips tire tired ' +
    'title to toast today together toilet tomato tomatoes tomorrow tone tonight too took tool tools tooltip top topic ' +
    'torch torn total totals touch tough tourist tourists towel towels town trace traces track tractor traditional ' +
    'traffic trail trailer train trainer training transcript translate translation trap travel tray treasurer treat ' +
    'treatment tree tremble trim trip triple trolley trophy trousers truck true try tuesday tunnel turkish turn turned ' +
    'turnstile tutorial twelve twenty twice twist two type typical typo typos tyre tyres ugly ui unable uncle unclear ' +
    'under understand unhappy uniform unique unit unknown unless unload unpack unrelated until unused unusual up upcoming ' +
    'update updated upgrade upload upper uptime urban urge urgent urgently us usb use used useful uses usher using usual ' +
    'vacant vaccine vague valid van variable variables vary vast ve vegetables vehicle vehicles venue verify version ' +
    'versions very via video view village violet visible visit visitors visual voice volume volunteers vote wait walk ' +
    'wall wander wanted wants ward wardens wardrobe warehouse warm warn warning warnings was wash washing wasn waste ' +
    'watch water watering wave way we weak wear weather wedding wednesday week weekend weekly weeks weigh weight weird ' +
    'welcome well went were weren west wet what whatever wheel when whenever where wherever whether which while whisper ' +
    'white whitespace who whoever whole whom whose why wide width wife wiki wild will win wind window windows wine ' +
    'winning winter wipe wise wish with within without witness woman women won wonder wonderful wood wooden wool work ' +
    'worker workers workflow workflows working works workshop worn worry worse worth would wouldn wrap write written ' +
    'wrong wrote yaml yard yawn year yearly years yellow yesterday yet you young your yours'
  ).split(' '),
);
