// The documented workspace at a running server, in an account of its own: for what calls the API by HTTP alone.
import { setTimeout as sleep } from 'node:timers/promises';
import type { JWK } from 'jose';
import { createOrganisation, previewOf } from '../../dev/workspace/build-workspace.ts';
import { signInAs } from '../../dev/workspace/sign-in.ts';
import { createDocumentedWorkspace } from './create-documented-workspace.ts';

export interface DocumentedTarget {
  readonly secretKey: string;
  readonly publicKey: string;
  /** Of the workspace's JWT integration. */
  readonly signingKey: JWK;
}

/** @param url of a development server, because the verification link is read from its mailbox */
export async function createDocumentedTarget(url: string): Promise<DocumentedTarget> {
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
