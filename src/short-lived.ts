/**
 * What a call makes is garbage when the call has ended. V8 watches where objects are made, and from a place whose objects
 * were once found alive it puts all later ones into old space, where they keep what they hold until a collection of the
 * whole heap: on a scanning thread most places become such, with bodies of long histories in nearly every start. A turn of
 * 200 messages then costs twice the CPU. Said here, and not on the command line, since who starts the program need not know it.
 */
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--no-allocation-site-pretenuring');
