/** The errors of the code. A click goes to the line. */
import { UnstyledButton } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import classes from './code.module.css';
import type { Problem } from './compilation.ts';

export interface ProblemsListProps {
  readonly problems: readonly Problem[];
  readonly onOpen: (problem: Problem) => void;
}

export function ProblemsList({ problems, onOpen }: ProblemsListProps) {
  if (problems.length === 0) return null;
  return (
    <section className={classes.problems} aria-label="Problems">
      <h3 className={classes.problemsTitle}>
        {problems.length === 1 ? '1 problem' : `${problems.length} problems`}
      </h3>
      <ul className="list">
        {problems.map((problem) => (
          <li key={`${problem.line}:${problem.column} ${problem.message}`}>
            <UnstyledButton className={classes.problem} onClick={() => onOpen(problem)}>
              <IconAlertCircle size={15} aria-hidden className={classes.problemIcon} />
              <span className="shrink breaks">{problem.message}</span>
              {problem.line !== null && <span className={classes.problemLine}>Line {problem.line}</span>}
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </section>
  );
}
