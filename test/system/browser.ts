/** Debian's Chromium, steered; and everything it complained about. */
import { chromium, type Browser, type Page } from 'playwright-core';
import { present } from './processes.ts';

export interface Watched {
  readonly page: Page;
  /** Console errors, uncaught errors, refused resources: what a person with the tools open would see in red. */
  readonly complaints: string[];
}

export async function openBrowser(): Promise<Browser> {
  if (!present('chromium')) throw new Error('not installed: chromium; .ci/run installs what these tests need');
  return chromium.launch({
    executablePath: '/usr/bin/chromium',
    // The sandbox needs what a container does not give; the pages are our own.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export async function openPage(browser: Browser, width: number): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => {
    // A view that is left gives up what it had asked for.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(`${request.url()} failed`);
  });
  return { page, complaints };
}
