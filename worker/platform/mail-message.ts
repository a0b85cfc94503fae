/**
 * A mail as text and as HTML, from the same few parts. Everything that people typed is escaped: characters that change the text
 * around them everywhere, markup in the HTML part. The subject is one line.
 */
import { escapeText } from '#contracts/public/characters';

export interface MailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface MailParts {
  readonly to: string;
  readonly subject: string;
  /** In order; the action's link follows the first. */
  readonly paragraphs: readonly string[];
  readonly action?: { readonly label: string; readonly url: string };
}

export function composeMail({ to, subject, paragraphs, action }: MailParts): MailMessage {
  const [opening = '', ...rest] = paragraphs.map(escapeText);
  const label = escapeText(action?.label ?? '');
  const link = action === undefined ? [] : [`${label}:\n${action.url}`];
  const button = action === undefined ? [] : [htmlButton(label, action.url)];
  return {
    to,
    subject: escapeText(subject.replace(/\p{Cc}+/gu, ' ')),
    text: `${[opening, ...link, ...rest, 'Tessera'].join('\n\n')}\n`,
    html: htmlPage([htmlParagraph(opening), ...button, ...rest.map(htmlParagraph), htmlParagraph('Tessera')]),
  };
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function htmlPage(parts: readonly string[]): string {
  return `<!doctype html>
<html lang="en-GB">
<body style="margin:0;padding:32px 16px;background:#f6f6f4;color:#1c1c1a;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:32rem;margin:0 auto;padding:24px 32px;background:#ffffff;border-radius:8px">
${parts.join('\n')}
</div>
</body>
</html>
`;
}

function htmlParagraph(text: string): string {
  return `<p style="margin:12px 0">${escapeHtml(text)}</p>`;
}

function htmlButton(label: string, url: string): string {
  const style =
    'display:inline-block;padding:10px 18px;border-radius:6px;background:#1c1c1a;color:#ffffff;text-decoration:none';
  return `<p style="margin:20px 0"><a href="${escapeHtml(url)}" style="${style}">${escapeHtml(label)}</a></p>
<p style="margin:12px 0;font-size:13px;color:#6b6b66;word-break:break-all">${escapeHtml(url)}</p>`;
}
