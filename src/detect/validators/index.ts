import * as contact from './contact.ts';
import * as europe from './identity-europe.ts';
import * as world from './identity-world.ts';
import * as money from './money.ts';
import * as secrets from './secrets.ts';

/**
 * What `check:` of a signature may say. Each function is pure, linear in the match, and given nothing but the match.
 */
export const VALIDATORS = {
  token: secrets.token,
  'assigned-secret': secrets.assignedSecret,
  'labelled-secret': secrets.labelledSecret,
  'named-secret': secrets.namedSecret,
  'header-secret': secrets.headerSecret,
  'settings-password': secrets.settingsPassword,
  password: secrets.password,
  'last-password': secrets.lastPassword,
  'url-credentials': secrets.urlCredentials,
  'login-pair': secrets.loginPair,
  'login-line': secrets.loginLine,
  'json-web-token': secrets.jsonWebToken,
  'basic-header': secrets.basicHeader,
  'private-key': secrets.privateKey,
  'payment-card': money.paymentCard,
  'named-card': money.namedCard,
  iban: money.iban,
  'routing-number': money.routingNumber,
  'email-address': contact.emailAddress,
  'phone-number': contact.phoneNumber,
  'public-ip': contact.publicIp,
  'document-number': world.documentNumber,
  'us-ssn': world.usSsn,
  'us-ssn-named': world.isIssuedSsn,
  'us-itin': world.usItin,
  'ca-sin': world.canadianSin,
  'br-cpf': world.brazilianCpf,
  'br-cnpj': world.brazilianCnpj,
  'mx-curp': world.mexicanCurp,
  'cl-rut': world.chileanRut,
  'in-aadhaar': world.indianAadhaar,
  'cn-resident': world.chineseResident,
  'kr-resident': world.koreanResident,
  'jp-my-number': world.japaneseMyNumber,
  'sg-nric': world.singaporeNric,
  'tr-kimlik': world.turkishKimlik,
  'il-id': world.israeliId,
  'za-id': world.southAfricanId,
  'au-tfn': world.australianTfn,
  'uk-nino': europe.ukNino,
  'uk-nhs': europe.ukNhs,
  'es-dni': europe.spanishDni,
  'es-nie': europe.spanishNie,
  'it-codice-fiscale': europe.italianCodiceFiscale,
  'fr-insee': europe.frenchInsee,
  'de-steuer-id': europe.germanSteuerId,
  'nl-bsn': europe.dutchBsn,
  'be-number': europe.belgianNumber,
  'pl-pesel': europe.polishPesel,
  'se-number': europe.swedishNumber,
  'fi-hetu': europe.finnishHetu,
  'no-number': europe.norwegianNumber,
  'dk-cpr': europe.danishCpr,
  'pt-nif': europe.portugueseNif,
  'ch-ahv': europe.swissAhv,
  'ro-cnp': europe.romanianCnp,
  'cz-number': europe.czechNumber,
} satisfies Record<string, (match: string) => boolean>;

/** Checks that only pass a long run of characters: where there is none, their patterns need not be tried. */
export const NEEDS_RUN: ReadonlySet<string> = new Set([
  'token',
  'assigned-secret',
  'labelled-secret',
  'named-secret',
  'header-secret',
]);

/** Null for a name that is not in the table, also for one that every object has, like `constructor`. */
export function validatorOf(name: string): ((match: string) => boolean) | null {
  return Object.hasOwn(VALIDATORS, name) ? VALIDATORS[name as keyof typeof VALIDATORS] : null;
}
