/** The development mailbox as an HTML page. Every value is escaped. */

import type { KeptMail } from '#worker/platform/mail-mailbox';
import { escapeHtml } from '#worker/platform/mail-message';

const STYLE = `
  :root { color-scheme: light dark; }
  body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; }
  article { padding: 1rem 1.25rem; margin: 1rem 0; border: 1px solid color-mix(in srgb, currentcolor 20%, transparent); border-radius: 8px; }
  h2 { margin: 0; font-size: 1.05rem; }
  .to { margin: 0; opacity: 0.7; }
  pre { margin: 0.75rem 0 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
`;

export function mailboxPage(mails: readonly KeptMail[]): string {
  const list = mails.length === 0 ? '<p>No mail has been sent yet.</p>' : mails.map(article).join('\n');
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mailbox · Tessera</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Mailbox</h1>
<p>Mail that this development server has sent, newest first. Nothing leaves the machine.</p>
${list}
</body>
</html>
`;
}

function article(mail: KeptMail): string {
  return `<article>
<h2>${escapeHtml(mail.subject)}</h2>
<p class="to">To ${escapeHtml(mail.to)}, <time>${new Date(mail.at).toISOString()}</time></p>
<pre>${withLinks(mail.text)}</pre>
</article>`;
}

function withLinks(text: string): string {
  return escapeHtml(text).replace(/https?:\/\/[^\s<>]+/g, (link) => `<a href="${link}">${link}</a>`);
}
