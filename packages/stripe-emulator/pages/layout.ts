// The frame of every page, with inline styles and no external resources.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Html, html } from './html.ts';

export interface PageRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  form: URLSearchParams;
}

export interface PageAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const styles = new Html(readFileSync(join(import.meta.dirname, 'page.css'), 'utf8'));

export const mark = html`<svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true"><g fill="currentColor" opacity=".35"><rect x="1" y="1" width="6" height="6" rx="1"/><rect x="8" y="1" width="6" height="6" rx="1"/><rect x="1" y="8" width="6" height="6" rx="1"/><rect x="8" y="15" width="6" height="6" rx="1"/><rect x="15" y="8" width="6" height="6" rx="1"/></g><rect x="8" y="8" width="6" height="6" rx="1" fill="var(--accent)"/></svg>`;

export function page(title: string, body: Html, { status = 200, script = '' } = {}): PageAnswer {
  const document = html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${styles}</style>
</head>
<body>
${body}
${script !== '' && html`<script src="${script}" defer></script>`}
</body>
</html>
`;
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    body: document.text,
  };
}

/** A page with one message, such as 'not found'. */
export function notice(status: number, title: string, text: string): PageAnswer {
  return page(
    title,
    html`<main class="narrow stack"><div class="top">${mark}<h1>${title}</h1></div><p>${text}</p></main>`,
    { status },
  );
}

export function redirect(location: string): PageAnswer {
  return { status: 303, headers: { location }, body: '' };
}
