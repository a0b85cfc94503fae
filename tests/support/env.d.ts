// What the tests inside workerd find in `env` (the Worker's own bindings, and those that only tests have) and in `exports`.
import type { D1Migration } from 'cloudflare:test';
import type { Env as WorkerEnv } from '#worker/env';

declare module 'vitest' {
  export interface ProvidedContext {
    stripeEmulatorUrl: string;
  }
}

declare global {
  namespace Cloudflare {
    interface Env extends WorkerEnv {
      TEST_MIGRATIONS: D1Migration[];
    }

    interface GlobalProps {
      mainModule: typeof import('#worker/index');
    }
  }
}
