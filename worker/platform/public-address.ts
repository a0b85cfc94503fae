/**
 * Addresses that customers choose and Tessera calls. They may name no network but the public one: names are checked here, and in production
 * the platform routes fetches to the public network only (`global_fetch_strictly_public`).
 */
const IP_ADDRESS = /^(?:\d+\.\d+\.\d+\.\d+|\[.*\])$/;
/** Names that mean something in private networks only. */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|intranet|lan|private|corp|home\.arpa)$/;

interface AddressOptions {
  /** Local servers may also call this machine, without encryption. */
  readonly isDevelopment: boolean;
}

/** @returns the address, or for people what is wrong with it */
export function readPublicAddress(address: string, { isDevelopment }: AddressOptions): URL | string {
  const url = URL.parse(address);
  if (url === null) return 'The address is not valid';
  const name = url.hostname.replace(/\.$/, '');
  if (isDevelopment && url.protocol === 'http:' && (name === '127.0.0.1' || name === 'localhost')) return url;
  if (url.protocol !== 'https:') return 'The address must begin with https://';
  if (url.username !== '' || url.password !== '') return 'The address must not have a password';
  if (IP_ADDRESS.test(name) || PRIVATE_NAME.test(name) || !name.includes('.')) {
    return 'The address must have a public domain name';
  }
  return url;
}
