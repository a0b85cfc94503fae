/**
 * A Vite plugin that lets a page load a domain's endpoints without its schemas. Every module of packages/contracts becomes two: what zod
 * has a part in, and the rest, with endpoint records reduced to what the console reads of them. The console calls endpoints and validates forms only;
 * without this, every page would load zod and build hundreds of schemas at start-up. Schemas lose their
 * descriptions.
 */
import MagicString from 'magic-string';
import type { ESTree, Plugin } from 'vite';

/** What makes endpoint records: `member.get(path, { … })`. */
const METHODS: Readonly<Record<string, string>> = { get: 'GET', post: 'POST', put: 'PUT', remove: 'DELETE' };

/** Ids of the two halves: the prefix and the module's own id. */
const PLAIN = '\0contract:plain:';
const SCHEMAS = '\0contract:schemas:';
const HALF = /^\0contract:(?:plain|schemas):/;

export function splitContracts(): Plugin {
  const halves = new Map<string, string>();
  return {
    name: 'split-contracts',
    apply: 'build',
    resolveId: {
      order: 'pre',
      handler(source, importer) {
        if (HALF.test(source)) return { id: source, moduleSideEffects: false };
        if (importer === undefined || !HALF.test(importer)) return null;
        return this.resolve(source, importer.replace(HALF, ''));
      },
    },
    load: { filter: { id: HALF }, handler: (id) => halves.get(id) ?? null },
    transform: {
      filter: { id: /^[^\0].*\/packages\/contracts\/.+\.ts$/ },
      handler(code, id) {
        const split = splitModule(code, this.parse(code).body, id);
        halves.set(PLAIN + id, split.plain).set(SCHEMAS + id, split.schemas);
        return { code: split.facade, map: { mappings: '' }, moduleSideEffects: false };
      },
    },
  };
}

type Statement = ESTree.Program['body'][number];

interface Part {
  readonly names: readonly string[];
  readonly uses: ReadonlySet<string>;
  readonly isExported: boolean;
  /** Without `export`. */
  readonly code: string;
}

/** `id` is the module's. The facade exports what the module does, from its halves. */
function splitModule(code: string, body: readonly Statement[], id: string) {
  const imports = body.filter((statement) => statement.type === 'ImportDeclaration');
  const parts = body.filter((statement) => statement.type !== 'ImportDeclaration').map(partOf(code));
  const ofZod = namesOfZod(imports, parts);
  const isOfZod = ({ names }: Part) => names.some((name) => ofZod.has(name));
  const plain = parts.filter((part) => !isOfZod(part));
  const schemas = parts.filter(isOfZod);
  const head = imports.map(({ start, end }) => code.slice(start, end)).join('\n');
  const exported = (chosen: readonly Part[], from: string) =>
    `export { ${listed(chosen.filter(({ isExported }) => isExported))} } from ${JSON.stringify(from + id)};\n`;
  return {
    facade: exported(plain, PLAIN) + exported(schemas, SCHEMAS),
    plain: [head, ...plain.map((part) => part.code), `export { ${listed(plain)} };`].join('\n'),
    schemas: [
      head,
      `import { ${listed(plain)} } from ${JSON.stringify(PLAIN + id)};`,
      ...schemas.map((part) => part.code),
      `export { ${listed(schemas)} };`,
    ].join('\n'),
  };
}

const listed = (parts: readonly Part[]) => parts.flatMap(({ names }) => names).join(', ');

/** What needs zod: imported schemas, recognised by their names, and all that uses them, directly or not. */
function namesOfZod(imports: readonly ESTree.ImportDeclaration[], parts: readonly Part[]): Set<string> {
  const locals = imports.flatMap(({ specifiers }) => specifiers.map(({ local }) => local.name));
  const found = new Set(locals.filter((name) => name === 'z' || name.endsWith('Schema')));
  for (let known = -1; known !== found.size; ) {
    known = found.size;
    for (const { names, uses } of parts) {
      if (![...uses].some((name) => found.has(name))) continue;
      for (const name of names) found.add(name);
    }
  }
  return found;
}

const partOf =
  (code: string) =>
  (statement: Statement): Part => {
    const isExported = statement.type === 'ExportNamedDeclaration';
    const declaration = isExported ? statement.declaration : statement;
    const source = new MagicString(code);
    if (declaration?.type === 'FunctionDeclaration') {
      const names = declaration.id === null ? [] : [declaration.id.name];
      return { names, uses: identifiersIn(declaration), isExported, code: sliceOf(source, declaration) };
    }
    if (declaration?.type !== 'VariableDeclaration') {
      throw new Error(`A contract has constants and functions only, not ${sliceOf(source, statement)}`);
    }
    const uses = new Set<string>();
    for (const { init } of declaration.declarations) {
      if (init === null) continue;
      removeDescriptions(source, init);
      for (const name of slim(source, init)) uses.add(name);
    }
    const names = declaration.declarations.map(({ id }) => (id.type === 'Identifier' ? id.name : ''));
    return { names, uses, isExported, code: sliceOf(source, declaration) };
  };

const sliceOf = (source: MagicString, { start, end }: { start: number; end: number }) =>
  source.slice(start, end);

/** Descriptions are for the documentation of the API, which the Worker writes. */
function removeDescriptions(source: MagicString, node: object): void {
  const { type, callee, end } = node as Partial<ESTree.CallExpression>;
  if (type === 'CallExpression' && callee?.type === 'MemberExpression' && end !== undefined) {
    const { object, property } = callee;
    if (property.type === 'Identifier' && property.name === 'describe') source.remove(object.end, end);
  }
  for (const child of Object.values(node))
    if (typeof child === 'object' && child !== null) removeDescriptions(source, child);
}

/** Reduces endpoints, and marks a call as pure: the bundler drops it if nothing uses its result. @returns the names used */
function slim(source: MagicString, init: ESTree.Expression): Set<string> {
  if (init.type === 'ObjectExpression' && init.properties.some(isEndpointField)) {
    return new Set(init.properties.flatMap((field) => [...slimEndpoint(source, field)]));
  }
  if (init.type === 'CallExpression') {
    source.appendRight(init.start, '/* @__PURE__ */ (() => ').appendLeft(init.end, ')()');
  }
  return identifiersIn(init);
}

const isEndpointField = (field: ESTree.ObjectPropertyKind) => endpointOf(field) !== null;

function endpointOf(field: ESTree.ObjectPropertyKind) {
  if (field.type !== 'Property' || field.value.type !== 'CallExpression') return null;
  const { callee, arguments: passed } = field.value;
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return null;
  const method = METHODS[callee.property.name];
  const [path, fields] = passed;
  return method && path && fields?.type === 'ObjectExpression'
    ? { call: field.value, method, path, fields }
    : null;
}

/** What a call reads or changes: literals. */
const isKept = (field: ESTree.ObjectPropertyKind) =>
  field.type === 'Property' && field.key.type === 'Identifier' && /^(reads|changes)$/.test(field.key.name);

/** Replaces `name: member.get(path, { … })` by what `web/api` reads. @returns the names used in it */
function slimEndpoint(source: MagicString, field: ESTree.ObjectPropertyKind): Set<string> {
  const record = endpointOf(field);
  if (record === null) return identifiersIn(field);
  const { call, method, path, fields } = record;
  const kept = fields.properties.filter(isKept).map((each) => `, ${sliceOf(source, each)}`);
  source.update(
    call.start,
    call.end,
    `{ method: '${method}', path: ${sliceOf(source, path)}${kept.join('')} }`,
  );
  return identifiersIn(path);
}

/** Every identifier below the node: more than the variables it reads, because keys count too. */
function identifiersIn(node: object): Set<string> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { type, name } = value as { type?: unknown; name?: unknown };
    if (type === 'Identifier' && typeof name === 'string') found.add(name);
    for (const child of Object.values(value)) visit(child);
  };
  visit(node);
  return found;
}
