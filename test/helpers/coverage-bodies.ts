/** Bodies that are no well-formed JSON under a provider's path. */
import type { Sending } from './coverage.ts';

export interface Body {
  readonly name: string;
  sending(canary: string): Sending;
}

const BOUNDARY = 'boundary7d9f';

const post = (
  name: string,
  path: string,
  type: string | null,
  body: (canary: string) => string | Buffer,
  wire = 'openai',
): Body => ({
  name,
  sending: (canary) => ({
    wire,
    path,
    headers: type === null ? {} : { 'content-type': type },
    bytes: Buffer.from(body(canary)),
  }),
});

interface Part {
  readonly head: string;
  readonly content: string | Buffer;
}

const parts = (name: string, path: string, each: (canary: string) => readonly Part[], wire = 'openai'): Body =>
  post(name, path, `multipart/form-data; boundary=${BOUNDARY}`, (canary) => assembled(each(canary)), wire);

const assembled = (all: readonly Part[]): Buffer =>
  Buffer.concat([
    ...all.flatMap(({ head, content }) => [
      Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);

const field = (name: string, content: string): Part => ({
  head: `Content-Disposition: form-data; name="${name}"`,
  content,
});
const file = (name: string, type: string, content: string | Buffer, more = ''): Part => ({
  head: `Content-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}${more}`,
  content,
});
const sound = file('a.wav', 'audio/wav', Buffer.from('RIFF\x24\x00\x00\x00WAVEfmt ', 'latin1'));

const chat = (content: string): string => JSON.stringify({ messages: [{ role: 'user', content }] });
const line = (canary: string): string =>
  JSON.stringify({
    custom_id: 'a',
    method: 'POST',
    url: '/v1/chat/completions',
    body: { messages: [{ role: 'user', content: canary }] },
  });
const half = (canary: string): readonly [string, string] => [
  canary.slice(0, canary.length >> 1),
  canary.slice(canary.length >> 1),
];
const CHAT = '/v1/chat/completions';

const by = (method: string): Body => ({
  name: `${method} with a body`,
  sending: (canary) => ({
    wire: 'openai',
    path: CHAT,
    method,
    headers: { 'content-type': 'application/json' },
    bytes: Buffer.from(chat(canary)),
  }),
});

export const BODIES: readonly Body[] = [
  parts('transcription: prompt', '/v1/audio/transcriptions', (canary) => [sound, field('prompt', canary)]),
  parts('transcription: keywords', '/v1/audio/transcriptions', (canary) => [sound, field('keywords[]', canary)]),
  parts('transcription: names of speakers', '/v1/audio/transcriptions', (canary) => [
    field('known_speaker_names[]', canary),
    sound,
  ]),
  parts('translation: prompt', '/v1/audio/translations', (canary) => [sound, field('prompt', canary)]),
  parts(
    'transcription under Ollama',
    '/v1/audio/transcriptions',
    (canary) => [sound, field('prompt', canary)],
    'ollama',
  ),
  parts('image edit: prompt', '/v1/images/edits', (canary) => [field('prompt', canary)]),
  parts('video: prompt', '/v1/videos', (canary) => [field('prompt', canary)]),
  parts('video remix: prompt', '/v1/videos/vid_1/remix', (canary) => [field('prompt', canary)]),
  parts('name of a field', '/v1/images/edits', (canary) => [field(canary, 'x')]),
  parts('name of a file', '/v1/files', (canary) => [file(`${canary}.txt`, 'text/plain', 'x')]),
  parts('file: plain text', '/v1/files', (canary) => [
    field('purpose', 'assistants'),
    file('a.txt', 'text/plain', `Hello.\n${canary}\n`),
  ]),
  parts('file: Markdown, sent as octet-stream', '/v1/files', (canary) => [
    file('a.md', 'application/octet-stream', `# A\n\n${canary}`),
  ]),
  parts('file: batch lines', '/v1/files', (canary) => [
    field('purpose', 'batch'),
    file('a.jsonl', 'application/jsonl', `${line('Hi')}\n${line(canary)}\n`),
  ]),
  parts('file: UTF-16', '/v1/files', (canary) => [
    file('a.txt', 'text/plain', Buffer.from(`\ufeff${canary}`, 'utf16le')),
  ]),
  parts('file: base64 transfer encoding', '/v1/files', (canary) => [
    file('a.txt', 'text/plain', Buffer.from(canary).toString('base64'), '\r\nContent-Transfer-Encoding: base64'),
  ]),
  parts('part of an upload', '/v1/uploads/up_1/parts', (canary) => [file('a', 'application/octet-stream', canary)]),
  parts('file of a container', '/v1/containers/c_1/files', (canary) => [
    file('a.py', 'text/x-python', `print("${canary}")`),
  ]),
  parts('skill', '/v1/skills', (canary) => [file('SKILL.md', 'text/markdown', `---\nname: x\n---\n${canary}`)]),
  parts('file under Anthropic', '/v1/files', (canary) => [file('a.txt', 'text/plain', canary)], 'anthropic'),
  parts('realtime call: session', '/v1/realtime/calls', (canary) => [
    field('sdp', 'v=0\r\n'),
    field('session', JSON.stringify({ instructions: canary })),
  ]),
  post('realtime call: SDP', '/v1/realtime/calls', 'application/sdp', (canary) => `v=0\r\ns=${canary}\r\n`),
  post('text before the first part', '/v1/files', `multipart/form-data; boundary=${BOUNDARY}`, (canary) =>
    Buffer.concat([Buffer.from(`${canary}\r\n`), assembled([field('a', 'b')])]),
  ),
  post('text after the last part', '/v1/files', `multipart/form-data; boundary=${BOUNDARY}`, (canary) =>
    Buffer.concat([assembled([field('a', 'b')]), Buffer.from(canary)]),
  ),
  post(
    'form: percent-encoded',
    '/v1/completions',
    'application/x-www-form-urlencoded',
    (canary) => `prompt=${encodeURIComponent(canary)}&n=1`,
  ),
  post(
    'form: plus signs',
    '/v1/completions',
    'application/x-www-form-urlencoded',
    (canary) => `prompt=${canary.replaceAll(' ', '+')}`,
  ),
  post(
    'form: name of a field',
    '/v1/completions',
    'application/x-www-form-urlencoded',
    (canary) => `${encodeURIComponent(canary)}=1`,
  ),
  post('JSON Lines', '/v1/files', 'application/x-ndjson', (canary) => `${line('Hi')}\n${line(canary)}\n`),
  post('plain text', '/v1/anything', 'text/plain', (canary) => canary),
  post('text without a Content-Type', '/v1/anything', null, (canary) => `Hello.\n\n${canary}`),
  post('XML', '/v1/anything', 'application/xml', (canary) => `<a><b>${canary}</b></a>`),
  post('YAML', '/v1/anything', 'application/yaml', (canary) => `prompt: >\n  ${canary}\n`),
  post(
    'a blob under Ollama',
    `/api/blobs/sha256:${'0'.repeat(64)}`,
    'application/octet-stream',
    (canary) => canary,
    'ollama',
  ),
  post(
    'a duplicate key',
    CHAT,
    'application/json',
    (canary) => `{"messages":[{"role":"user","content":"${canary}","content":"hi"}]}`,
  ),
  post(
    'duplicate messages',
    CHAT,
    'application/json',
    (canary) => `{"messages":[{"role":"user","content":"${canary}"}],"messages":[]}`,
  ),
  post(
    'escaped keys',
    CHAT,
    'application/json',
    (canary) => `{"m\\u0065ssages":[{"r\\u006fle":"user","c\\u006fntent":"${canary}"}]}`,
  ),
  post('text after the document', '/api/chat', 'application/json', (canary) => `{"messages":[]} ${canary}`, 'ollama'),
  post('a second document', CHAT, 'application/json', (canary) => `{"messages":[]}${chat(canary)}`),
  post('a truncated document', CHAT, 'application/json', (canary) => chat(canary).slice(0, -4)),
  post('NaN in the document', CHAT, 'application/json', (canary) => `{"temperature":NaN,${chat(canary).slice(1)}`),
  post(
    'trailing commas',
    CHAT,
    'application/json',
    (canary) => `{"messages":[{"role":"user","content":"${canary}",},],}`,
  ),
  post(
    'comments in the document',
    CHAT,
    'application/json',
    (canary) => `/* a */ {"messages": [ // b\n {"role":"user","content":"${canary}"}]}`,
  ),
  post('single quotes', CHAT, 'application/json', (canary) => `{'messages':[{'role':'user','content':'${canary}'}]}`),
  post('only a string', CHAT, 'application/json', (canary) => JSON.stringify(canary)),
  post('only an array', CHAT, 'application/json', (canary) => JSON.stringify([canary])),
  post(
    'a hundred levels deep',
    CHAT,
    'application/json',
    (canary) => `${'['.repeat(100)}${JSON.stringify(canary)}${']'.repeat(100)}`,
  ),
  post(
    'a hundred thousand levels deep',
    CHAT,
    'application/json',
    (canary) => `${'['.repeat(1e5)}${JSON.stringify(canary)}${']'.repeat(1e5)}`,
  ),
  post('after a megabyte of text', CHAT, 'application/json', (canary) =>
    chat(`${'The weather is fine today. '.repeat(40_000)}${canary}`),
  ),
  post('lone surrogates', CHAT, 'application/json', (canary) =>
    chat('@').replace('@', canary.replaceAll('e', 'e\\ud800')),
  ),
  post('split over two parts', CHAT, 'application/json', (canary) =>
    JSON.stringify({ messages: [{ role: 'user', content: half(canary).map((text) => ({ type: 'text', text })) }] }),
  ),
  post('split over two messages', CHAT, 'application/json', (canary) =>
    JSON.stringify({ messages: half(canary).map((content) => ({ role: 'user', content })) }),
  ),
  post('split over prompt and suffix', '/v1/completions', 'application/json', (canary) =>
    JSON.stringify({ prompt: half(canary)[0], suffix: half(canary)[1] }),
  ),
  post('one letter per part', CHAT, 'application/json', (canary) =>
    JSON.stringify({ messages: [{ role: 'user', content: [...canary].map((text) => ({ type: 'text', text })) }] }),
  ),
  ...['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map(by),
];
