// The platform refuses mail of a sender that its binding does not list, each when it is sent: so MAIL_FROM is compared with the list first.

/**
 * @param config the text of wrangler.toml
 * @param mailFrom an address, or `Name <address>`; absent: that of [vars], if it is there
 * @returns what is wrong, in one sentence; null if nothing is
 */
export function senderProblem(config: string, mailFrom = textOf(config, 'MAIL_FROM')): string | null {
  const allowed = textOf(config, 'allowed_sender_addresses');
  if (typeof mailFrom !== 'string' || !Array.isArray(allowed)) return null;
  const address = (/<([^<>]*)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom).trim().toLowerCase();
  if (allowed.some((each) => String(each).toLowerCase() === address)) return null;
  return `MAIL_FROM sends as ${address}, which is not in allowed_sender_addresses of wrangler.toml: add it there.`;
}

function textOf(config: string, name: string): unknown {
  const [, text] =
    new RegExp(`^${name}\\s*=\\s*("[^"\\n]*"|'[^'\\n]*'|\\[[^\\]]*\\])`, 'm').exec(config) ?? [];
  const texts = [...(text ?? '').matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, one, other]) => one ?? other);
  return text?.startsWith('[') ? texts : texts[0];
}
