/** An example call as code, by situation and language, and its response or possible errors. */
import { Box, Select } from '@mantine/core';
import { useState } from 'react';
import type { DocumentedExample, DocumentedOperation } from '#contracts/public/openapi';
import codeClasses from '#web/ui/code/code.module.css';
import { CodeBlock } from '#web/ui/code/code-block.tsx';
import { ChoiceBar } from '#web/ui/inputs/choice-bar.tsx';
import { codeSample, LANGUAGES } from './code-samples.ts';
import classes from './operation.module.css';
import { useLanguage, useSituation } from './use-example-choice.ts';

export interface ExamplePanelProps {
  readonly operation: DocumentedOperation;
  /** The operation's URL, without a query. */
  readonly url: string;
  readonly method: string;
}

export function ExamplePanel({ operation, url, method }: ExamplePanelProps) {
  const { requestBody, 'x-examples': plain = {} } = operation;
  const requests = requestBody?.content['application/json'].examples ?? plain;
  const [situation, chooseSituation] = useSituation(operation.operationId, Object.keys(requests));
  const { language, chooseLanguage } = useLanguage();
  const [status, setStatus] = useState('200');
  const request = requests[situation];
  const answer = operation.responses[status];
  if (request === undefined || answer === undefined) return null;
  return (
    <div className={`column shrink gap-16 ${classes.panel}`}>
      <Select
        label="Situation"
        data={Object.entries(requests).map(([value, { summary: label }]) => ({ value, label }))}
        value={situation}
        allowDeselect={false}
        onChange={(name) => {
          chooseSituation(name ?? situation);
          setStatus('200');
        }}
        description={request.description}
      />
      <CodeBlock
        label="the request"
        code={codeSample(language, exampleUrl(url, request), { ...request, method })}
        head={<ChoiceBar label="Language" choices={LANGUAGES} chosen={language} onChoose={chooseLanguage} />}
      >
        <p className={codeClasses.note}>
          {request['x-key'] === 'public' ? 'A public key is enough.' : 'Requires a secret key.'}
        </p>
      </CodeBlock>
      <Answer
        key={status}
        statuses={Object.keys(operation.responses)}
        status={status}
        onChoose={setStatus}
        answer={answer}
        situation={situation}
      />
    </div>
  );
}

/** Examples of paths with parameters name their own path. */
function exampleUrl(url: string, { 'x-path': path }: DocumentedExample): string {
  return path === undefined ? url : new URL(path, url).href;
}

interface AnswerProps {
  readonly statuses: readonly string[];
  readonly status: string;
  readonly onChoose: (status: string) => void;
  readonly answer: DocumentedOperation['responses'][string];
  readonly situation: string;
}

function Answer({ statuses, status, onChoose, answer, situation }: AnswerProps) {
  const examples = answer.content?.['application/json'].examples ?? {};
  const names = Object.keys(examples);
  const [chosen, setChosen] = useState(names[0] ?? '');
  const example = examples[status === '200' ? situation : chosen];
  return (
    <CodeBlock
      label="the response"
      code={JSON.stringify(example?.value, null, 2)}
      head={
        <ChoiceBar
          label="Status"
          choices={statuses.map((id) => ({ id, label: id }))}
          chosen={status}
          onChoose={onChoose}
        />
      }
    >
      <p className={codeClasses.note}>{answer.description}</p>
      {status !== '200' && names.length > 1 && (
        <Box pt={6} pr={8} pb={6} pl={14} style={{ borderBottom: '1px solid var(--line)' }}>
          <ChoiceBar
            label="Reason"
            choices={names.map((id) => ({ id, label: examples[id]?.summary ?? id }))}
            chosen={chosen}
            onChoose={setChosen}
          />
        </Box>
      )}
    </CodeBlock>
  );
}
