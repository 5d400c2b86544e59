import { after } from 'node:test';
import { promisesOfAControlPlane } from '../helpers/control-plane-suite.ts';
import { startPostgres, type Postgres } from './postgres.ts';

let postgres: Postgres | null = null;

promisesOfAControlPlane(async () => {
  postgres = await startPostgres();
  return { url: postgres.url };
});
after(() => postgres?.remove());
