/** The network that a request comes from, as a key for rate limits. */

/**
 * An IPv4 address, or the /64 prefix of an IPv6 address, since one client may use every address of its prefix. Empty
 * without an address, which happens only in tests.
 */
export function clientNetwork(request: Request): string {
  const address = request.headers.get('cf-connecting-ip') ?? '';
  return address.includes(':') ? ipv6Prefix(address) : address;
}

function ipv6Prefix(address: string): string {
  const [head = '', tail] = address.split('::');
  const groups = groupsOf(head);
  if (tail !== undefined) {
    const rest = groupsOf(tail);
    while (groups.length + rest.length < 8) groups.push('0');
    groups.push(...rest);
  }
  return groups
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':');
}

function groupsOf(part: string): string[] {
  return part === '' ? [] : part.split(':');
}
