/** What holds no text, or text that never passes by: the matrix proves nothing about it, and the page must say so. */
import type { Sending } from './coverage.ts';

const CHAT = '/v1/chat/completions';

export interface Unread {
  readonly name: string;
  readonly sending: Sending;
}

const unread = (name: string, path: string, body: unknown, wire = 'openai'): Unread => ({
  name,
  sending: { wire, path, headers: { 'content-type': 'application/json' }, bytes: Buffer.from(JSON.stringify(body)) },
});
const attached = (data: string): unknown => ({
  messages: [{ role: 'user', content: [{ type: 'file', file: { filename: 'a', file_data: data } }] }],
});
const binary = (magic: string): string =>
  Buffer.from(magic + 'compressed\x00\x01\x02\xff'.repeat(60), 'latin1').toString('base64');

/** The limits of the scanner, so that the page says what the matrix does not prove. */
export const UNREAD: readonly Unread[] = [
  unread('a prompt of token ids', '/v1/completions', { prompt: [40, 4155, 477, 262, 2180] }),
  unread(
    'the state of an earlier call, as token ids',
    '/api/generate',
    { prompt: 'Go on.', context: [40, 4155, 477, 262] },
    'ollama',
  ),
  unread('a PDF', CHAT, attached(`data:application/pdf;base64,${binary('%PDF-1.7\n')}`)),
  unread('an archive or office document', CHAT, attached(`data:application/zip;base64,${binary('PK\x03\x04')}`)),
  unread('an image', CHAT, {
    messages: [
      {
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${binary('\x89PNG\r\n\x1a\n')}` } }],
      },
    ],
  }),
  unread('audio', CHAT, {
    messages: [
      {
        role: 'user',
        content: [{ type: 'input_audio', input_audio: { format: 'wav', data: binary('RIFF\x24\x00\x00\x00WAVE') } }],
      },
    ],
  }),
  unread('an image that the upstream fetches', CHAT, {
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.org/a.png' } }] }],
  }),
  unread('a file uploaded earlier', CHAT, {
    messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] }],
  }),
  unread('the state of an earlier response', '/v1/responses', { previous_response_id: 'resp_1', input: 'Go on.' }),
];
