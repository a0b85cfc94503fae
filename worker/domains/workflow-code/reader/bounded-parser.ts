/**
 * The parser, with limits that honest code is far from: time and memory grow with the product of declarations and depth otherwise. Its
 * names of a scope are sets, since it searches them for each declaration.
 */
import { type Options, Parser, type Program } from 'acorn';
import { MAX_INSERTIONS } from '../code-reading.ts';

/** Names that one scope declares. */
export const MAX_DECLARATIONS = 5_000;
/** Blocks and functions inside each other. A loop that declares its variable counts twice. */
export const MAX_DEPTH = 100;
export const MAX_NAMED_GROUPS = 100;

const MAX_STEPS = MAX_INSERTIONS / 2;
export const TOO_MANY_STEPS = `The code has more than ${MAX_STEPS.toLocaleString('en')} functions and loops`;

const GROUP = /\(\?<(?![=!])/g;

/** The list of names that the parser keeps, as far as it uses one. */
class Names {
  /** Made with the first name: most scopes declare none. */
  #names: Set<string> | null = null;
  /** The first name: a `catch` asks for its parameter. */
  0: string | undefined;

  get size(): number {
    return this.#names?.size ?? 0;
  }

  indexOf(name: string): number {
    return this.#names?.has(name) ? 0 : -1;
  }

  push(name: string): void {
    this[0] ??= name;
    this.#names ??= new Set();
    this.#names.add(name);
  }
}

interface Scope {
  var: Names;
  lexical: Names;
  functions: Names;
}

interface PatternState {
  readonly start: number;
  readonly source: string;
}

/** What the parser's types leave out; its plugins are made of these. */
interface ParserInternals {
  new (
    options: Options,
    input: string,
  ): {
    readonly scopeStack: readonly Scope[];
    readonly start: number;
    currentScope(): Scope;
    currentVarScope(): Scope;
    enterScope(flags: number): void;
    declareName(name: string, binding: number, at: number): void;
    validateRegExpPattern(state: PatternState): void;
    raise(at: number, message: string): never;
  };
  parse(input: string, options: Options): Program;
}

export class BoundedParser extends (Parser as unknown as ParserInternals) {
  /** Entered so far. Declared without a value: the parser's constructor enters the first. */
  declare scopes?: number;

  override enterScope(flags: number): void {
    super.enterScope(flags);
    this.scopes = (this.scopes ?? 0) + 1;
    if (this.scopes > MAX_STEPS) this.raise(this.start, TOO_MANY_STEPS);
    // The module itself is a scope.
    if (this.scopeStack.length - 1 > MAX_DEPTH) {
      this.raise(this.start, `Blocks and functions are nested more than ${MAX_DEPTH} deep`);
    }
    Object.assign(this.currentScope(), { var: new Names(), lexical: new Names(), functions: new Names() });
  }

  override declareName(name: string, binding: number, at: number): void {
    super.declareName(name, binding, at);
    // A `var` is also a name of the function around its block.
    if ([this.currentScope(), this.currentVarScope()].some(isTooLarge)) {
      this.raise(at, `A scope declares more than ${MAX_DECLARATIONS.toLocaleString('en')} names`);
    }
  }

  override validateRegExpPattern(state: PatternState): void {
    if ((state.source.match(GROUP)?.length ?? 0) > MAX_NAMED_GROUPS) {
      this.raise(state.start, `A regular expression has more than ${MAX_NAMED_GROUPS} named groups`);
    }
    super.validateRegExpPattern(state);
  }
}

function isTooLarge({ var: vars, lexical, functions }: Scope): boolean {
  return vars.size + lexical.size + functions.size > MAX_DECLARATIONS;
}
