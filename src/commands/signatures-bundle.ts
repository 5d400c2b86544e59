import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Bundle } from '../control-plane/bundle.ts';
import type { TrustedKey } from '../control-plane/bundle-keys.ts';
import type { Payload } from '../control-plane/bundle-payload.ts';
import { signatureTexts } from '../signatures/files.ts';
import { VERSION } from '../version.ts';
import { EXIT, misuse, type Arguments } from './command.ts';
import { wholeNumber } from './number-flag.ts';
import { sayProblems } from './say-problems.ts';

/** The commands for authors of signed bundles: create a key, sign a set of files, verify a bundle. */

const DEFAULT_DAYS = 90;
const MOST_DAYS = 3650;
const DAY_MS = 86_400_000;

/** Creates a key pair. The private key is written to a file, and the public key is printed. */
export async function keygen(args: Arguments): Promise<number> {
  const out = needed(args, 'out', 'the file that the private key goes to');
  const { createSigningKey } = await import('../control-plane/bundle-keys.ts');
  const { pem, publicKey, id } = createSigningKey();
  if (!write(out, pem, 0o600)) return EXIT.failure;
  console.log(publicKey);
  console.error(
    [
      `The private key (id ${id}) is in ${out}; whoever has it can change what every proxy looks for.`,
      'The line above is its public half, for every proxy and control plane that is to trust it:',
      '',
      'control_plane:',
      `  public_keys: ["${publicKey}"]`,
    ].join('\n'),
  );
  return EXIT.ok;
}

/** Proves signature files and writes them as one signed bundle. */
export async function signFiles(args: Arguments, paths: readonly string[]): Promise<number> {
  const keyFile = needed(args, 'key', 'the file that holds the private key');
  const out = needed(args, 'out', 'the file that the bundle goes to');
  const version = wholeNumber(args, 'bundle-version', 1, 2_147_483_647);
  if (version === null) throw misuse('signatures sign needs --bundle-version, a number that only ever counts up');
  const days = wholeNumber(args, 'days', 1, MOST_DAYS) ?? DEFAULT_DAYS;
  const engine = args.text('min-engine') ?? VERSION;
  if (paths.length === 0) throw misuse('signatures sign needs the files or folders to sign');
  const [{ signBundle, isVersion, MAX_BUNDLE_BYTES }, { readSigningKey }, { payloadFault, writePayload }] =
    await Promise.all([
      import('../control-plane/bundle.ts'),
      import('../control-plane/bundle-keys.ts'),
      import('../control-plane/bundle-payload.ts'),
    ]);
  if (!isVersion(engine)) throw misuse('--min-engine takes the version of a guard, such as 1.2.0');
  const pem = read(keyFile);
  if (pem === null) return fail(`${keyFile}: cannot be read`);
  const signer = readSigningKey(pem.toString('utf8'));
  if (signer === null) return fail(`${keyFile}: holds no ed25519 private key`);
  const { texts, problems } = signatureTexts(paths);
  sayProblems(problems);
  if (problems.length > 0) return EXIT.failure;
  const payload: Payload = {
    mode: args.has('replace') ? 'replace' : 'add',
    files: texts.map(({ file, text }) => ({ name: basename(file), text })),
  };
  const fault = payloadFault(payload);
  if (fault !== null)
    return fail(
      `${out}: ${fault}${payload.files.length === 0 ? '; a folder is searched for .yaml and .yml files' : ''}`,
    );
  if (!(await isProven(payload))) return EXIT.failure;
  const now = Date.now();
  const bytes = signBundle(
    writePayload(payload),
    {
      version,
      created: new Date(now).toISOString(),
      expires: new Date(now + days * DAY_MS).toISOString(),
      min_engine: engine,
    },
    signer,
  );
  if (bytes.length > MAX_BUNDLE_BYTES) return fail(`a bundle of ${bytes.length} bytes is larger than one may be`);
  if (!write(out, bytes, 0o644)) return EXIT.failure;
  console.log(
    `${out}: version ${version}, ${bytes.length} bytes, ${days} days, signed by ${signer.id} (${signer.publicKey})`,
  );
  return EXIT.ok;
}

/** Verifies the signature of a bundle and proves its content. */
export async function verifyFile(args: Arguments, paths: readonly string[]): Promise<number> {
  const [file] = paths;
  if (file === undefined || paths.length > 1) throw misuse('signatures verify needs one bundle');
  const [{ openBundle, BUNDLE_FAULTS }, { readPublicKey }] = await Promise.all([
    import('../control-plane/bundle.ts'),
    import('../control-plane/bundle-keys.ts'),
  ]);
  const trusted = args.list('trust').map(readPublicKey);
  if (trusted.length === 0)
    throw misuse('signatures verify needs --trust, the public key of whoever should have signed');
  if (trusted.includes(null)) throw misuse('--trust takes a public key such as `guard signatures keygen` prints');
  const bytes = read(file);
  if (bytes === null) return fail(`${file}: cannot be read`);
  const opened = openBundle(bytes, {
    trusted: trusted as TrustedKey[],
    now: Date.now(),
    engine: VERSION,
    floor: 0,
    held: null,
  });
  if (opened.kind === 'refused') return fail(`${file}: ${BUNDLE_FAULTS[opened.fault]} (${opened.fault})`);
  if (!(await isProven(opened.bundle.payload))) return fail(`${file}: ${BUNDLE_FAULTS.unproven} (unproven)`);
  sayContent(args, file, opened.bundle);
  return EXIT.ok;
}

function sayContent(args: Arguments, file: string, { manifest, digest, payload }: Bundle): void {
  const files = payload.files.map(({ name }) => name);
  if (args.has('json')) console.log(JSON.stringify({ ...manifest, digest, mode: payload.mode, files }, null, 2));
  else
    console.log(
      `${file}: good; version ${manifest.version}, signed by ${manifest.key_id}, until ${manifest.expires}, ` +
        `${payload.mode === 'add' ? 'joins' : 'replaces'} the shipped signatures: ${files.join(', ')}`,
    );
}

/**
 * Proves the payload as a proxy would, together with the signatures of this version. Prints the problems and returns
 * false if there are any.
 */
async function isProven(payload: Payload): Promise<boolean> {
  const [{ mergeSignatures }, { loadSignatures }, { provenScanner }, { createWaitingLine }] = await Promise.all([
    import('../control-plane/bundle-payload.ts'),
    import('../signatures/load.ts'),
    import('./proving.ts'),
    import('./waiting-line.ts'),
  ]);
  const shipped = loadSignatures();
  const merged = mergeSignatures(shipped.signatures, payload, []);
  const problems = [...shipped.problems, ...merged.problems];
  if (problems.length === 0) {
    const waiting = createWaitingLine(`proving ${merged.signatures.length} signatures`);
    const proven = await provenScanner(merged.signatures, { threads: 1 }).finally(waiting.end);
    await proven.scanner?.close();
    problems.push(...proven.problems);
  }
  sayProblems(problems);
  return problems.length === 0;
}

function needed(args: Arguments, flag: string, what: string): string {
  const value = args.text(flag);
  if (value === undefined) throw misuse(`--${flag} is needed: ${what}`);
  return value;
}

function read(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}

/** Writes a new file. It never overwrites one, which may be the only copy of a key. */
function write(file: string, content: string | Buffer, mode: number): boolean {
  if (existsSync(file)) {
    console.error(`guard: ${file}: exists already`);
    return false;
  }
  try {
    writeFileSync(file, content, { mode, flag: 'wx' });
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    console.error(`guard: ${file}: cannot be written (${code})${code === 'ENOENT' ? '; make its folder first' : ''}`);
    return false;
  }
}

function fail(message: string): number {
  console.error(`guard: ${message}`);
  return EXIT.failure;
}
