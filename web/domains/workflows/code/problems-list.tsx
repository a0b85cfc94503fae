/** The errors of the code. A click goes to the line. */
import { Box, UnstyledButton } from '@mantine/core';
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
      <Box component="h3" pt={2} px={20} pb={4} className="muted tiny medium flush">
        {problems.length === 1 ? '1 problem' : `${problems.length} problems`}
      </Box>
      <ul className="list">
        {problems.map((problem) => (
          <li key={`${problem.line}:${problem.column} ${problem.message}`}>
            <UnstyledButton className={classes.problem} onClick={() => onOpen(problem)}>
              <IconAlertCircle size={15} aria-hidden className={classes.problemIcon} />
              <span className="shrink breaks">{problem.message}</span>
              {problem.line !== null && (
                <Box component="span" ml="auto" className="rigid faint figures nowrap">
                  Line {problem.line}
                </Box>
              )}
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </section>
  );
}
