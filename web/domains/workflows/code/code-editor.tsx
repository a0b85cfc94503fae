/** The code editor with the organisation's types. Loaded by the code tab only. */
import { useComputedColorScheme } from '@mantine/core';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import classes from './code.module.css';
import type { EditorHandle, Problem } from './compilation.ts';
import { compileWorkflow, exportProblems, MODEL_URI, setDeclarations } from './compile-workflow.ts';
import { declarationsOf, type WorkflowDependencies } from './declarations.ts';
import { applyTheme, THEME } from './editor-theme.ts';
import { editor, MarkerSeverity } from './monaco.ts';

export interface CodeEditorProps {
  readonly ref: Ref<EditorHandle>;
  /** Read once, when the editor opens. From then on the text is the editor's: only `replaceText` changes it. */
  readonly firstText: () => string;
  readonly dependencies: WorkflowDependencies;
  readonly onChange: (text: string) => void;
  readonly onProblems: (problems: readonly Problem[]) => void;
}

/** Milliseconds without an edit after which the export is checked. */
const CHECK_DELAY = 400;
const EXPORT_MARKERS = 'workflow-export';

export function CodeEditor({ ref, firstText, dependencies, onChange, onProblems }: CodeEditorProps) {
  const container = useRef<HTMLDivElement>(null);
  const instance = useRef<editor.IStandaloneCodeEditor>(null);
  const handlers = useRef({ onChange, onProblems });
  handlers.current = { onChange, onProblems };
  const open = useRef(firstText);
  const scheme = useComputedColorScheme('light');

  useEffect(() => applyTheme(scheme), [scheme]);
  useEffect(() => setDeclarations(declarationsOf(dependencies)), [dependencies]);

  useEffect(() => {
    if (container.current === null) return;
    const model = editor.createModel(open.current(), 'typescript', MODEL_URI);
    // Of a text without line ends, the platform's would be used.
    model.setEOL(editor.EndOfLineSequence.LF);
    model.updateOptions({ tabSize: 2, bracketColorizationOptions: PLAIN_BRACKETS });
    const created = editor.create(container.current, { ...OPTIONS, model });
    instance.current = created;
    const stopWatching = watch(model, handlers);
    return () => {
      stopWatching();
      instance.current = null;
      created.dispose();
      model.dispose();
    };
  }, []);

  useImperativeHandle(
    ref,
    () => ({
      compile: () => compileWorkflow(modelOf(instance.current)),
      replaceText: (next) => replaceText(modelOf(instance.current), next),
      focus: () => instance.current?.focus(),
      insertText: (inserted) => {
        instance.current?.trigger('insert', 'type', { text: inserted });
        instance.current?.focus();
      },
      reveal: ({ line, column }) => {
        if (line === null) return;
        instance.current?.revealLineInCenterIfOutsideViewport(line);
        instance.current?.setPosition({ lineNumber: line, column: column ?? 1 });
        instance.current?.focus();
      },
    }),
    [],
  );

  return <div ref={container} className={classes.editor} />;
}

const PLAIN_BRACKETS = { enabled: false, independentColorPoolPerBracketType: false };

const OPTIONS: editor.IStandaloneEditorConstructionOptions = {
  theme: THEME,
  ariaLabel: 'Code. Press Control+M, on a Mac Control+Shift+M, to move the focus with Tab.',
  automaticLayout: true,
  fixedOverflowWidgets: true,
  fontFamily: "'JetBrains Mono Variable', ui-monospace, monospace",
  fontSize: 13,
  lineHeight: 21,
  folding: true,
  lineNumbersMinChars: 3,
  minimap: { enabled: false },
  overviewRulerLanes: 0,
  padding: { top: 12, bottom: 12 },
  renderLineHighlightOnlyWhenFocus: true,
  scrollBeyondLastLine: false,
  scrollbar: { alwaysConsumeMouseWheel: false },
  wordWrap: 'on',
};

function modelOf(instance: editor.IStandaloneCodeEditor | null): editor.ITextModel {
  const model = instance?.getModel();
  if (!model) throw new Error('The editor is not open');
  return model;
}

/** One step for undo. */
function replaceText(model: editor.ITextModel, text: string): void {
  if (model.getValue() === text) return;
  model.pushStackElement();
  model.pushEditOperations(null, [{ range: model.getFullModelRange(), text }], () => null);
  model.pushStackElement();
}

interface Handlers {
  readonly current: Pick<CodeEditorProps, 'onChange' | 'onProblems'>;
}

/** Reports edits and errors. Returns a function that ends it. */
function watch(model: editor.ITextModel, handlers: Handlers): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const checkExport = async () => {
    const version = model.getVersionId();
    const problems = await exportProblems(model).catch((error: unknown) => {
      if (!model.isDisposed()) throw error;
      return [];
    });
    if (model.isDisposed() || model.getVersionId() !== version) return;
    editor.setModelMarkers(
      model,
      EXPORT_MARKERS,
      problems.map((problem) => markerOf(model, problem)),
    );
  };
  const checkSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void checkExport(), CHECK_DELAY);
  };
  checkSoon();
  const edits = model.onDidChangeContent(() => {
    handlers.current.onChange(model.getValue());
    checkSoon();
  });
  const markers = editor.onDidChangeMarkers((uris) => {
    if (uris.some((uri) => uri.toString() === model.uri.toString())) {
      handlers.current.onProblems(problemsOf(model));
    }
  });
  return () => {
    clearTimeout(timer);
    edits.dispose();
    markers.dispose();
  };
}

function markerOf(model: editor.ITextModel, { line, message }: Problem): editor.IMarkerData {
  const lineNumber = line ?? 1;
  return {
    severity: MarkerSeverity.Error,
    message,
    startLineNumber: lineNumber,
    startColumn: model.getLineFirstNonWhitespaceColumn(lineNumber),
    endLineNumber: lineNumber,
    endColumn: model.getLineMaxColumn(lineNumber),
  };
}

/** Errors of the file itself hide those of its export, which follow from them. */
function problemsOf(model: editor.ITextModel): Problem[] {
  const errors = editor
    .getModelMarkers({ resource: model.uri })
    .filter(({ severity }) => severity === MarkerSeverity.Error);
  const own = errors.filter(({ owner }) => owner !== EXPORT_MARKERS);
  return (own.length > 0 ? own : errors)
    .map(({ startLineNumber, startColumn, message }) => ({
      line: startLineNumber,
      column: startColumn,
      message,
    }))
    .sort((one, other) => one.line - other.line || one.column - other.column);
}
