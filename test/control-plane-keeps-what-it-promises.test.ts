import { promisesOfAControlPlane } from './helpers/control-plane-suite.ts';

promisesOfAControlPlane(() => ({}));
