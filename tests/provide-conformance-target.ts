// Vitest's global setup of the project `conformance`: the server under test, its keys, and the key that signs tokens. Where
// CONFORMANCE_SECRET_KEY is not set, it creates an account with the documented workspaces through the console API; that
// needs a development server, because the verification link is read from its mailbox.
import type { JWK } from 'jose';
import type { TestProject } from 'vitest/node';
import { createDocumentedTarget, type DocumentedTarget } from '#lab/fixtures/create-documented-target';

export interface ConformanceTarget extends Omit<DocumentedTarget, 'creditsKey'> {
  readonly url: string;
  readonly blockedKey: string | null;
  readonly creditsKey: string | null;
}

declare module 'vitest' {
  export interface ProvidedContext {
    conformanceTarget: ConformanceTarget;
  }
}

export async function setup(project: TestProject): Promise<void> {
  const {
    CONFORMANCE_URL = 'http://localhost:4001',
    CONFORMANCE_SECRET_KEY: secretKey,
    CONFORMANCE_PUBLIC_KEY: publicKey,
    CONFORMANCE_SIGNING_KEY: signingKey,
    CONFORMANCE_BLOCKED_KEY: blockedKey = null,
    CONFORMANCE_CREDITS_KEY: creditsKey = null,
  } = process.env;
  const url = new URL(CONFORMANCE_URL).origin;
  if (secretKey === undefined) {
    project.provide('conformanceTarget', { url, blockedKey, ...(await createDocumentedTarget(url)) });
    return;
  }
  if (publicKey === undefined || signingKey === undefined)
    throw new Error('CONFORMANCE_SECRET_KEY also needs CONFORMANCE_PUBLIC_KEY and CONFORMANCE_SIGNING_KEY');
  const keys = { secretKey, publicKey, blockedKey, creditsKey };
  const target = { url, ...keys, signingKey: JSON.parse(signingKey) as JWK };
  project.provide('conformanceTarget', target);
}
