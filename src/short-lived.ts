/**
 * Turns off V8's allocation-site pretenuring. Everything that a request allocates is garbage once the request has
 * ended. But V8 tracks allocation sites, and once objects of a site were found alive it allocates all later ones of
 * that site in the old generation, where they keep alive what they reference until a full collection. On a scanning
 * thread most sites end up there when bodies carry long histories, in nearly every run. A request of 200 messages
 * then costs twice the CPU.
 *
 * The flag is set in code and not on the command line, so that whoever starts the program need not know of it.
 */
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--no-allocation-site-pretenuring');
