import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VALIDATORS, validatorOf } from '../src/detect/validators/index.ts';

/** Valid by the published rule of each, and made up: the first is changed digit by digit below. */
const NUMBERS = {
  'payment-card': [
    '4929 2210 8834 1203',
    '378282246310005',
    '5555555555554444',
    '6011111111111117',
    '3530111333300000',
  ],
  'named-card': ['card 4929221088341203', 'credit card number is 4222222222222'],
  iban: [
    'DE89 3704 0044 0532 0130 00',
    'GB82WEST12345698765432',
    'FR14 2004 1010 0505 0001 3M02 606',
    'NL91ABNA0417164300',
  ],
  'routing-number': ['ABA 021000021', 'routing number 011401533'],
  'us-ssn': ['536-22-8721'],
  'us-itin': ['ITIN 912-72-1234'],
  'ca-sin': ['SIN 130 692 544'],
  'br-cpf': ['529.982.247-25', 'cpf 11144477735'],
  'br-cnpj': ['11.222.333/0001-81'],
  'cl-rut': ['12.345.678-5', '7.654.321-6'],
  'in-aadhaar': ['2341 2341 2346'],
  'cn-resident': ['11010519491231002X'],
  'kr-resident': ['900101-1234568'],
  'jp-my-number': ['1234 5678 9018'],
  'sg-nric': ['S1234567D', 'T0000001E', 'G1234567X'],
  'tr-kimlik': ['10000000146'],
  'il-id': ['teudat zehut 123456782'],
  'za-id': ['ID 8001015009087'],
  'au-tfn': ['123 456 782'],
  'uk-nhs': ['943 476 5919'],
  'es-dni': ['41234567Y', '00000001R'],
  'es-nie': ['X1234567L', 'Z1234567R'],
  'it-codice-fiscale': ['RSSMRA85T10A562S', 'MRTMTT91D08F205J'],
  'fr-insee': ['2 55 08 14 168 025 38', '1 84 12 76 451 089 46'],
  'de-steuer-id': ['86095742719', '47036892816'],
  'nl-bsn': ['BSN 111222333'],
  'be-number': ['85.07.30-033.28'],
  'pl-pesel': ['PESEL 44051401359', 'PESEL 02070803628'],
  'se-number': ['811228-9874', '19640823-3234'],
  'fi-hetu': ['131052-308T', '010594Y9032'],
  'no-number': ['01010012356'],
  'pt-nif': ['NIF 123456789'],
  'ch-ahv': ['756.1234.5678.97'],
  'ro-cnp': ['CNP 1800101221144'],
  'cz-number': ['855730/0004', '047501/0371', '042501/0223', '750412/0020'],
  'mx-curp': ['BOXW310820HNERXN09'],
} satisfies Partial<Record<keyof typeof VALIDATORS, readonly string[]>>;

/** Numbers whose check catches every single wrong digit, as their standards promise. */
const CATCH_ALL = [
  'payment-card',
  'iban',
  'routing-number',
  'ca-sin',
  'in-aadhaar',
  'nl-bsn',
  'de-steuer-id',
  'fi-hetu',
  'es-dni',
  'es-nie',
];

for (const [name, numbers] of Object.entries(NUMBERS)) {
  test(`${name} accepts numbers that are right`, () => {
    for (const number of numbers) assert.ok(validatorOf(name)?.(number), number);
  });
}

test('a single wrong digit is noticed wherever the standard promises it', () => {
  for (const name of CATCH_ALL) {
    const isRight = validatorOf(name) as (match: string) => boolean;
    const number = (NUMBERS as Record<string, readonly string[]>)[name]?.[0] as string;
    for (let at = 0; at < number.length; at++) {
      const char = number[at] as string;
      if (!/\d/.test(char)) continue;
      const changed = `${number.slice(0, at)}${(Number(char) + 1) % 10}${number.slice(at + 1)}`;
      assert.ok(!isRight(changed), `${name}: ${changed}`);
    }
  }
});

test('of random digits only about as many pass as the check lets through', () => {
  let state = 11;
  const digit = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % 10;
  };
  const shares: Record<string, [length: number, most: number]> = {
    'payment-card': [16, 0.06],
    'nl-bsn': [9, 0.11],
    'pl-pesel': [11, 0.05],
    'ro-cnp': [13, 0.05],
    'no-number': [11, 0.01],
    'br-cpf': [11, 0.015],
    'tr-kimlik': [11, 0.015],
    'ch-ahv': [13, 0.001],
  };
  for (const [name, [length, most]] of Object.entries(shares)) {
    const isRight = validatorOf(name) as (match: string) => boolean;
    let passed = 0;
    for (let i = 0; i < 20_000; i++) if (isRight(Array.from({ length }, digit).join(''))) passed += 1;
    assert.ok(passed / 20_000 <= most, `${name}: ${passed} of 20000`);
  }
});

test('digits that are all the same are nobody, though most checks accept zeros', () => {
  for (const name of [
    'payment-card',
    'us-ssn',
    'ca-sin',
    'br-cpf',
    'br-cnpj',
    'nl-bsn',
    'uk-nhs',
    'il-id',
    'au-tfn',
    'jp-my-number',
  ])
    for (const length of [9, 10, 11, 12, 14, 16]) assert.ok(!validatorOf(name)?.('0'.repeat(length)), name);
});

test('months beyond twenty and seventy belong to Czech numbers since 2004, and a check digit of ten to those before 1985', () => {
  const isRight = VALIDATORS['cz-number'];
  for (const wrong of ['032501/0224', '032501/0004', '752112/0005', '043301/0006', '900412/0000', '041401/0003'])
    assert.ok(!isRight(wrong), wrong);
});

test('an address is public by the ranges that are given out, long and short', () => {
  const isPublic = VALIDATORS['public-ip'];
  for (const address of [
    '2606:4700::1111',
    '2a00:1450:4001:81b::200e',
    '2001:4860:4860:0:0:0:0:8888',
    'fc1:2:3:4:5:6:7:8',
    '198.51.7.7',
    '198.51.99.1',
    '8.8.9.1',
    '100.63.1.1',
    '100.128.1.1',
  ])
    assert.ok(isPublic(address), address);
  for (const address of [
    '2001:db8::1',
    'fe80::1234:5678',
    'fd00:1:2:3:4:5:6:7',
    'ff02:0:0:0:0:0:0:1',
    'ab::cd',
    '2001:db8:1:2:3:4:5:6',
    '2606:4700::1111::2',
    '198.51.100.7',
    '198.18.0.1',
    '8.8.8.8',
    '8.8.4.4',
    '100.64.0.1',
    '100.127.255.254',
    '192.0.2.1',
    '203.0.113.9',
    '255.255.255.255',
  ])
    assert.ok(!isPublic(address), address);
});

test('an account number that was swallowed with the word after it is still read', () => {
  assert.ok(VALIDATORS.iban('GB82 WEST 1234 5698 7654 32 this is'));
  assert.ok(!VALIDATORS.iban('GB82WEST12345698765432AB12'));
});

test('no name of an object by itself is a check', () => {
  for (const name of ['toString', 'constructor', '__proto__', 'hasOwnProperty', ''])
    assert.equal(validatorOf(name), null);
});

test('no check throws or stalls on text that is nothing like its number', () => {
  const texts = [
    '',
    ' ',
    'x',
    '-',
    '€',
    '9'.repeat(400),
    'A'.repeat(400),
    '..'.repeat(200),
    '=:'.repeat(200),
    'é'.repeat(200),
  ];
  for (const [name, check] of Object.entries(VALIDATORS)) {
    for (const text of texts) {
      const begin = process.cpuUsage();
      assert.equal(typeof check(text), 'boolean', name);
      const { user, system } = process.cpuUsage(begin);
      assert.ok(user + system < 50_000, `${name} on ${text.slice(0, 4)}`);
    }
  }
});
