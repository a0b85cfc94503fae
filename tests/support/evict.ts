import { evictDurableObject } from 'cloudflare:test';

/**
 * Ends an object's instance; its storage remains. An instance that the runtime has ended already, because it was idle for
 * some seconds, is fine too.
 */
export async function evict(stub: Parameters<typeof evictDurableObject>[0]): Promise<void> {
  try {
    await evictDurableObject(stub);
  } catch (error) {
    if (!String(error).includes('not currently running')) throw error;
  }
}
