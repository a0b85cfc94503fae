/** Compiles the model's text, and finds its errors. */
import { sourceLinesOf, withSourceLines } from '#engine/workflows/source-lines';
import type { Compilation, Problem } from './compilation.ts';
import { EXPORT_CHECK } from './declarations.ts';
import {
  type Diagnostic,
  type EmitOutput,
  type editor,
  getTypeScriptWorker,
  typescriptDefaults,
  Uri,
} from './monaco.ts';

export const MODEL_URI = Uri.parse('file:///workflow.ts');
const DECLARATIONS_PATH = 'file:///declarations.d.ts';
const EXPORT_CHECK_PATH = 'file:///export-check.ts';

const SOURCE_MAP_COMMENT = /\/\/# sourceMappingURL=\S*\s*$/;
const ERROR = 1;
const NO_DEFAULT_EXPORT = 1192;
const NOT_A_MODULE = 2306;

/** Sets the types that the code is checked against. */
export function setDeclarations(declarations: string): void {
  typescriptDefaults.setExtraLibs([
    { content: declarations, filePath: DECLARATIONS_PATH },
    { content: EXPORT_CHECK, filePath: EXPORT_CHECK_PATH },
  ]);
}

const REGISTRATION_MS = 20_000;
const RETRY_MS = 100;

/** TypeScript is loaded after the editor, and refuses calls until then. @throws what it says if it cannot be loaded */
async function serviceOf(model: editor.ITextModel) {
  const until = performance.now() + REGISTRATION_MS;
  for (;;) {
    try {
      return await (await getTypeScriptWorker())(model.uri);
    } catch (error) {
      if (model.isDisposed() || performance.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

export async function compileWorkflow(model: editor.ITextModel): Promise<Compilation> {
  const service = await serviceOf(model);
  const name = model.uri.toString();
  const source = model.getValue();
  const found = await Promise.all([
    service.getSyntacticDiagnostics(name),
    service.getSemanticDiagnostics(name),
  ]);
  const own = found.flat().filter(({ category }) => category === ERROR);
  const problems =
    own.length > 0 ? own.map((diagnostic) => problemOf(model, diagnostic)) : await exportProblems(model);
  if (problems.length > 0) return { source, javascript: null, problems };
  return { source, javascript: outputOf(await service.getEmitOutput(name)), problems: [] };
}

/** The JavaScript names the lines of its source in place of a source map. */
function outputOf({ outputFiles }: EmitOutput): string | null {
  const textOf = (ending: string) => outputFiles.find((file) => file.name.endsWith(ending))?.text;
  const [javascript, map] = [textOf('.js'), textOf('.js.map')];
  if (javascript === undefined) return null;
  if (map === undefined) return javascript;
  const { mappings } = JSON.parse(map) as { mappings: string };
  return withSourceLines(javascript.replace(SOURCE_MAP_COMMENT, ''), sourceLinesOf(mappings));
}

/** What is wrong with the default export, which the file itself cannot tell. */
export async function exportProblems(model: editor.ITextModel): Promise<Problem[]> {
  const service = await serviceOf(model);
  const diagnostics = await service.getSemanticDiagnostics(EXPORT_CHECK_PATH);
  const [first] = diagnostics.filter(({ category }) => category === ERROR);
  if (first === undefined) return [];
  if (first.code === NO_DEFAULT_EXPORT || first.code === NOT_A_MODULE) {
    return [
      {
        line: 1,
        column: 1,
        message:
          'Export the workflow: export default function workflow(input: WorkflowInput): WorkflowResult { … }',
      },
    ];
  }
  const at = model.findMatches('^\\s*export\\s+default', false, true, true, null, false, 1)[0]?.range;
  return [
    { line: at?.startLineNumber ?? 1, column: at?.startColumn ?? 1, message: messageOf(first.messageText) },
  ];
}

function problemOf(model: editor.ITextModel, { start = 0, messageText }: Diagnostic): Problem {
  const { lineNumber, column } = model.getPositionAt(start);
  return { line: lineNumber, column, message: messageOf(messageText) };
}

/** The outermost message and its reasons. */
function messageOf(text: Diagnostic['messageText']): string {
  if (typeof text === 'string') return text;
  const reasons = (text.next ?? []).map(messageOf);
  return [text.messageText, ...reasons].join('\n');
}
