// Vitest's global setup of the project `conformance`: the server under test, its keys, and the key that signs tokens. Where
// CONFORMANCE_SECRET_KEY is not set, it creates an account with the documented workspace through the console API; that
// needs a development server, because the verification link is read from its mailbox.
import { setTimeout as sleep } from 'node:timers/promises';
import type { JWK } from 'jose';
import type { TestProject } from 'vitest/node';
import { createOrganisation, previewOf } from '../dev/workspace/build-workspace.ts';
import { signInAs } from '../dev/workspace/sign-in.ts';
import { createDocumentedWorkspace } from './support/create-documented-workspace.ts';

export interface ConformanceTarget {
  readonly url: string;
  readonly secretKey: string;
  readonly publicKey: string;
  readonly blockedKey: string | null;
  readonly signingKey: JWK;
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
  } = process.env;
  const url = new URL(CONFORMANCE_URL).origin;
  if (secretKey === undefined) {
    project.provide('conformanceTarget', { url, blockedKey, ...(await createTarget(url)) });
    return;
  }
  if (publicKey === undefined || signingKey === undefined)
    throw new Error('CONFORMANCE_SECRET_KEY also needs CONFORMANCE_PUBLIC_KEY and CONFORMANCE_SIGNING_KEY');
  const target = { url, secretKey, publicKey, blockedKey, signingKey: JSON.parse(signingKey) as JWK };
  project.provide('conformanceTarget', target);
}

async function createTarget(
  url: string,
): Promise<Pick<ConformanceTarget, 'secretKey' | 'publicKey' | 'signingKey'>> {
  const email = `conformance.${crypto.randomUUID()}@people.example`;
  const session = await signInAs(url, { email, password: crypto.randomUUID(), name: 'Conny Conformance' });
  const created = await createOrganisation(session, 'Conformance Works');
  const workspace = await createDocumentedWorkspace(created, await previewOf(created));
  await untilPublished(url, workspace.keys.secret);
  return {
    secretKey: workspace.keys.secret,
    publicKey: workspace.keys.public,
    signingKey: workspace.signer.privateJwk,
  };
}

/** Waits until the preview environment answers with everything that the workspace configures last. */
async function untilPublished(url: string, secretKey: string): Promise<void> {
  const userJwt = 'no token';
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const response = await fetch(`${url}/api/v1/access-checks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ userJwt }),
    });
    const { warnings = [] } = (await response.json()) as { warnings?: { code: string }[] };
    // Another warning follows while the JWT integration, which is created last, is not published.
    if (warnings.some(({ code }) => code === 'jwt-malformed')) return;
    await sleep(100);
  }
  throw new Error('The workspace was not published within 30 seconds');
}
