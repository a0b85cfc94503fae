import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';

/**
 * Ends an object's instance; its storage remains. An instance that the runtime has ended already, because it was idle for
 * some seconds, is fine too.
 */
export async function evict(stub: Parameters<typeof evictDurableObject>[0]): Promise<void> {
  try {
    await evictDurableObject(ownStub(stub));
  } catch (error) {
    if (!String(error).includes('not currently running')) throw error;
  }
}

/** The runtime ends objects by its own stubs only, not by those of stubs.ts. */
function ownStub({ id }: Parameters<typeof evictDurableObject>[0]): DurableObjectStub {
  for (const namespace of [env.LEDGER, env.ENVIRONMENT_REPLICA, env.EVENT_STREAM, env.PASSWORD_HASHER]) {
    try {
      return namespace.get(namespace.idFromString(id.toString()));
    } catch {
      // The id is of another class.
    }
  }
  throw new Error('The object is of no class of the Worker');
}
