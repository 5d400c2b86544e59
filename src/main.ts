#!/usr/bin/env node
import { dispatch } from './commands/dispatch.ts';

// `guard config print | head` closes the pipe early; that is the reader's right and no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// The code is set and not passed to exit(), which would cut off what is still being written.
process.exitCode = await dispatch(process.argv.slice(2));
