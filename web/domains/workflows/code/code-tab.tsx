/** The code of a workflow: editor, problems, and what the code can refer to. */
import { Button, Kbd, Skeleton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useRef, useState } from 'react';
import type { Workflow } from '#contracts/console/workflows';
import { Tag } from '#web/ui/tag.tsx';
import { UnsavedChanges } from '#web/ui/unsaved-changes.tsx';
import classes from './code.module.css';
import type { EditorHandle, Problem } from './compilation.ts';
import { FILE_NAME, type WorkflowDependencies } from './declarations.ts';
import { starterOf } from './examples.ts';
import { ExamplesMenu } from './examples-menu.tsx';
import { ProblemsList } from './problems-list.tsx';
import { SidePanel } from './side-panel.tsx';
import { SourceConflict } from './source-conflict.tsx';
import { useSaveCode } from './use-save-code.ts';

const CodeEditor = lazy(async () => ({ default: (await import('./code-editor.tsx')).CodeEditor }));

export interface CodeTabProps {
  readonly orgId: string;
  readonly workflow: Workflow;
  readonly dependencies: WorkflowDependencies;
}

export function CodeTab({ orgId, workflow, dependencies }: CodeTabProps) {
  const saving = useSaveCode(orgId, workflow);
  const { base, theirs, refusals } = saving;
  const starter = starterOf(dependencies);
  const [text, setText] = useState(workflow.source || starter);
  const [errors, setErrors] = useState<readonly Problem[]>([]);
  const editor = useRef<EditorHandle>(null);

  const isDirty = text !== (base.source || starter);
  // A newer source replaces the text that nobody edited.
  if (workflow.updatedAt > base.updatedAt && !saving.isSaving && !isDirty) {
    saving.rebase(workflow);
    setText(workflow.source || starter);
  }
  const save = () => {
    if (editor.current !== null) void saving.save(editor.current.compile);
  };
  useHotkeys([['mod+S', save]], [], true);
  const change = (next: string) => {
    setText(next);
    if (refusals.length > 0) saving.clearRefusals();
  };
  return (
    <>
      <UnsavedChanges isDirty={() => isDirty} />
      {theirs !== null && (
        <SourceConflict
          mine={text}
          theirs={theirs.source}
          onKeepMine={() => saving.rebase(theirs)}
          onTakeTheirs={() => {
            saving.rebase(theirs);
            setText(theirs.source);
          }}
        />
      )}
      <section className={classes.frame} aria-label="Code">
        <header className={classes.bar}>
          <span className="mono small">{FILE_NAME}</span>
          <CodeState isDirty={isDirty} workflow={base} />
          <span className={classes.soon}>Quickstart Templates: Coming Soon</span>
          <div className="row gap-8">
            <ExamplesMenu
              dependencies={dependencies}
              onChoose={(code) => editor.current?.replaceText(code)}
            />
            <Button
              onClick={save}
              loading={saving.isSaving}
              disabled={!isDirty && base.source !== '' && !base.isDraft}
            >
              Update
            </Button>
          </div>
        </header>
        <div className={classes.columns}>
          <div className={classes.main}>
            <Suspense fallback={<EditorSkeleton />}>
              <CodeEditor
                ref={editor}
                text={text}
                dependencies={dependencies}
                onChange={change}
                onProblems={setErrors}
              />
            </Suspense>
            <p className={classes.hint}>
              Tab indents. <Kbd size="xs">Ctrl M</Kbd>, on a Mac <Kbd size="xs">⌃⇧M</Kbd>, makes it leave the
              editor.
            </p>
            <ProblemsList
              problems={[...errors, ...refusals]}
              onOpen={(problem) => editor.current?.reveal(problem)}
            />
          </div>
          <SidePanel
            orgId={orgId}
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

function CodeState({ isDirty, workflow }: { isDirty: boolean; workflow: Workflow }) {
  if (isDirty) return <Tag look="dashed">Not saved</Tag>;
  if (workflow.isDraft && workflow.source !== '') return <Tag look="dashed">Draft</Tag>;
  return null;
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
