/** Runnable samples of an operation for a terminal, TypeScript and Python. They read the API key from the environment. */
import type { DocumentedExample } from '#contracts/public/openapi';
import { keyVariable } from '#web/values/client-example.ts';

export const LANGUAGES = [
  { id: 'curl', label: 'curl' },
  { id: 'javascript', label: 'TypeScript' },
  { id: 'python', label: 'Python' },
] as const;
export type Language = (typeof LANGUAGES)[number]['id'];

export function readLanguage(text: string | null): Language {
  return LANGUAGES.find(({ id }) => id === text)?.id ?? 'curl';
}

export type SampledCall = Pick<DocumentedExample, 'value' | 'x-key' | 'x-query' | 'x-headers'> & {
  /** Default: POST. */
  readonly method?: string;
};

/** @param url the operation's URL, without a query */
export function codeSample(language: Language, url: string, example: SampledCall): string {
  const { 'x-query': query, method = 'POST' } = example;
  const target = query === undefined ? url : `${url}?${query}`;
  const headers = Object.entries(example['x-headers'] ?? {});
  const key = keyVariable(example['x-key'] ?? 'secret');
  switch (language) {
    case 'curl':
      return curl(method, target, key, headers, example.value);
    case 'javascript':
      return javascript(method, target, key, headers, example.value);
    case 'python':
      return python(method, target, key, headers, example.value);
  }
}

type Headers = readonly (readonly [string, string])[];

function curl(method: string, url: string, key: string, headers: Headers, body: unknown): string {
  const json = body === undefined ? undefined : JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
  const verb = method === (json === undefined ? 'GET' : 'POST') ? '' : `-X ${method} `;
  const more = headers.map(([name, value]) => `  -H "${name}: ${value}" \\\n`).join('');
  const type = json === undefined ? '' : '  -H "Content-Type: application/json" \\\n';
  const data = json === undefined ? '' : `  -d '${json}'`;
  const call = `curl ${verb}${url.includes('?') ? `"${url}"` : url} \\
  -H "Authorization: Bearer $${key}" \\
${type}${more}${data}`;
  return call.replace(/ \\\n$/, '');
}

function javascript(method: string, url: string, key: string, headers: Headers, body: unknown): string {
  const more = headers.map(([name, value]) => `    '${name}': '${value}',\n`).join('');
  const type = body === undefined ? '' : `    'Content-Type': 'application/json',\n`;
  const data = body === undefined ? '' : `  body: JSON.stringify(${literal(body, JAVASCRIPT, '  ')}),\n`;
  return `const response = await fetch('${url}', {
  method: '${method}',
  headers: {
    Authorization: \`Bearer \${process.env.${key}}\`,
${type}${more}  },
${data}});
const answer = await response.json();`;
}

function python(method: string, url: string, key: string, headers: Headers, body: unknown): string {
  const more = headers.map(([name, value]) => `        "${name}": "${value}",\n`).join('');
  const data = body === undefined ? '' : `    json=${literal(body, PYTHON, '    ')},\n`;
  return `import os
import requests

response = requests.${method.toLowerCase()}(
    "${url}",
    headers={
        "Authorization": f"Bearer {os.environ['${key}']}",
${more}    },
${data}    timeout=5,
)
answer = response.json()`;
}

interface Dialect {
  readonly indent: string;
  readonly text: (value: string) => string;
  readonly name: (key: string) => string;
  readonly word: (value: boolean | null) => string;
}

const singleQuoted = (text: string) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

const JAVASCRIPT: Dialect = {
  indent: '  ',
  text: singleQuoted,
  name: (key) => (/^[a-zA-Z_$][\w$]*$/.test(key) ? key : singleQuoted(key)),
  word: String,
};

const PYTHON: Dialect = {
  indent: '    ',
  text: JSON.stringify,
  name: JSON.stringify,
  word: (value) => (value === null ? 'None' : value ? 'True' : 'False'),
};

/** JSON as a literal of the language. Lists of scalars stay on one line. */
function literal(value: unknown, dialect: Dialect, margin: string): string {
  if (typeof value === 'string') return dialect.text(value);
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean' || value === null) return dialect.word(value);
  const inner = margin + dialect.indent;
  if (Array.isArray(value)) {
    return `[${value.map((each) => literal(each, dialect, inner)).join(', ')}]`;
  }
  const members = Object.entries(value as object).map(
    ([key, member]) => `${inner}${dialect.name(key)}: ${literal(member, dialect, inner)},\n`,
  );
  return members.length === 0 ? '{}' : `{\n${members.join('')}${margin}}`;
}
