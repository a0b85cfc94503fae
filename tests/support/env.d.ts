// Types of what tests import from `cloudflare:workers` (`env` with the bindings that only tests have, `exports`) and inject.
import type { JWK } from 'jose';
import type { Env as WorkerEnv } from '#worker/env';

declare module 'vitest' {
  export interface ProvidedContext {
    stripeEmulatorUrl: string;
    workflowRunnerUrl: string;
    workflowRunnerSecret: string;
    workflowRunnerControlUrl: string;
    conformanceTarget: {
      url: string;
      secretKey: string;
      publicKey: string;
      blockedKey: string | null;
      creditsKey: string | null;
      signingKey: JWK;
    };
  }
}

declare global {
  namespace Cloudflare {
    interface Env extends WorkerEnv {
      /** Statements that make it of an empty one. */
      MIGRATED_DATABASE: string[];
    }

    interface GlobalProps {
      mainModule: typeof import('#worker/development');
    }
  }
}
