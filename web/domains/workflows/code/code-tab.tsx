/** The code of a workflow: editor, problems, and what the code can refer to. */
import { Button, Kbd, Skeleton, Stack } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Workflow } from '#contracts/console/workflows';
import { useKeptDraft } from '#web/forms/use-kept-draft.ts';
import { OtherPerson } from '#web/session/member-name.tsx';
import { useOrgId } from '#web/session/organisation.tsx';
import { CodeBlock } from '#web/ui/code/code-block.tsx';
import { UnsavedChanges } from '#web/ui/dialogs/unsaved-changes.tsx';
import { useShortcut } from '#web/ui/keyboard/keys.ts';
import { Tag } from '#web/ui/labels/tag.tsx';
import { InlinePart } from '#web/ui/loading/inline-part.tsx';
import { codeApart } from '#web/ui/loading/loaded-apart.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import classes from './code.module.css';
import type { EditorHandle, Problem } from './compilation.ts';
import { FILE_NAME, type WorkflowDependencies } from './declarations.ts';
import { starterOf } from './examples.ts';
import { ExamplesMenu } from './examples-menu.tsx';
import { ProblemsList } from './problems-list.tsx';
import { shownCode } from './shown-code.ts';
import { SidePanel } from './side-panel.tsx';
import { SourceConflict } from './source-conflict.tsx';
import { useEditorText } from './use-editor-text.ts';
import { useSaveCode } from './use-save-code.ts';

const editorCode = codeApart(async () => (await import('./code-editor.tsx')).CodeEditor);

export interface CodeTabProps {
  readonly workflow: Workflow;
  readonly dependencies: WorkflowDependencies;
  /** The workflow was deleted while it was open: only text that was not saved is shown. */
  readonly isDeleted: boolean;
}

export function CodeTab({ workflow, dependencies, isDeleted }: CodeTabProps) {
  const orgId = useOrgId();
  const saving = useSaveCode(orgId, workflow);
  const { base, theirs, refusals } = saving;
  const starter = starterOf(dependencies);
  const [errors, setErrors] = useState<readonly Problem[]>([]);
  const editor = useRef<EditorHandle>(null);
  const code = useEditorText(() => shownCode(workflow.source, starter), editor);
  const [isEditorReady, setEditorReady] = useState(false);
  const keepEditor = useCallback((handle: EditorHandle | null) => {
    editor.current = handle;
    setEditorReady(handle !== null);
  }, []);

  const saved = shownCode(base.source, starter);
  const isDirty = code.text !== saved;
  const isDirtyNow = () => code.read() !== saved;
  useKeptDraft({
    name: 'code',
    // With the state that was edited: a source that was saved since is a conflict.
    read: () => (isDirtyNow() ? { text: code.read(), source: base.source, updatedAt: base.updatedAt } : null),
    restore: ({ text: typed = code.text, source = base.source, updatedAt = base.updatedAt }) => {
      code.replace(typed);
      saving.rebase({ ...workflow, source, updatedAt });
    },
  });
  // A newer source replaces the text that nobody edited. An effect, because a key may be newer than this render.
  useEffect(() => {
    if (workflow.updatedAt <= base.updatedAt || saving.isSaving || isDirtyNow()) return;
    saving.rebase(workflow);
    code.replace(shownCode(workflow.source, starter));
  });
  const save = () => {
    if (editor.current !== null) void saving.save(editor.current.compile);
  };
  const isDraft = base.isDraft && base.source !== '';
  useShortcut('s', save);
  const change = (next: string) => {
    code.follow(next);
    if (refusals.length > 0) saving.clearRefusals();
  };
  const unsavedChanges = <UnsavedChanges isDirty={isDirtyNow} />;
  if (isDeleted) {
    return (
      <>
        {unsavedChanges}
        {isDirty && <UnsavedCode text={code.text} />}
      </>
    );
  }
  return (
    <>
      {unsavedChanges}
      {dependencies.type === 'feature-behaviour' && dependencies.feature === null && (
        <Notice isWide title="Deleted feature">
          The feature was deleted, so this workflow is not part of new versions. You can still read its code.
        </Notice>
      )}
      {theirs !== null && (
        <SourceConflict
          who={<OtherPerson userId={saving.changedBy} />}
          mine={code.text}
          theirs={shownCode(theirs.source, '')}
          onKeepMine={() => saving.rebase(theirs)}
          onTakeTheirs={() => {
            saving.rebase(theirs);
            code.replace(shownCode(theirs.source, starter));
          }}
        />
      )}
      <section className={classes.frame} aria-label="Code">
        <header className={classes.bar}>
          <span className="mono small">{FILE_NAME}</span>
          {isDirty ? <Tag look="dashed">Not saved</Tag> : isDraft && <Tag look="dashed">Draft</Tag>}
          <span className={classes.soon}>Quickstart Templates: Coming Soon</span>
          <div className={`row gap-8 ${classes.actions}`}>
            <ExamplesMenu
              dependencies={dependencies}
              onChoose={(example) => {
                editor.current?.replaceText(example);
                editor.current?.focus();
              }}
            />
            <Button
              onClick={save}
              loading={saving.isSaving}
              disabled={!isEditorReady || (!isDirty && base.source !== '' && !base.isDraft)}
            >
              Update
            </Button>
          </div>
        </header>
        {isDraft && !isDirty && (
          <p className={classes.draft}>
            {base.isCompiled
              ? 'Saved as a draft. Versions keep the code that compiled last.'
              : 'Saved as a draft. Versions contain the workflow once its code compiles.'}
          </p>
        )}
        <div className={classes.columns}>
          <Stack gap={0} miw={0}>
            <InlinePart
              code={editorCode}
              props={{
                ref: keepEditor,
                firstText: code.read,
                dependencies,
                onChange: change,
                onProblems: setErrors,
              }}
              loading={<EditorSkeleton />}
            />
            <p className={classes.hint}>
              Tab indents. Press <Kbd size="xs">Ctrl M</Kbd> (<Kbd size="xs">⌃⇧M</Kbd> on a Mac) to leave the
              editor with Tab.
            </p>
            <ProblemsList
              problems={[...errors, ...refusals]}
              onOpen={(problem) => editor.current?.reveal(problem)}
            />
          </Stack>
          <SidePanel
            workflow={base}
            dependencies={dependencies}
            compile={async () => editor.current?.compile() ?? null}
            onInsert={(inserted) => editor.current?.insertText(inserted)}
          />
        </div>
      </section>
    </>
  );
}

function UnsavedCode({ text }: { text: string }) {
  return (
    <CodeBlock
      label="your unsaved code"
      code={text}
      head={<h2 className="small medium flush">Your unsaved code</h2>}
    />
  );
}

function EditorSkeleton() {
  return (
    <div className={classes.skeleton} role="status" aria-label="Loading the editor">
      <Skeleton height={12} width="46%" />
      <Skeleton height={12} width="62%" />
      <Skeleton height={12} width="38%" />
      <Skeleton height={12} width="8%" />
    </div>
  );
}
