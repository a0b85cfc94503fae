/** Selects one of a few kinds, each with a description. */
import { Box, Fieldset, Text } from '@mantine/core';
import { useId } from 'react';
import classes from './choice-cards.module.css';

export interface ChoiceCardsProps<Choice extends string> {
  readonly legend: string;
  readonly choices: readonly {
    readonly value: Choice;
    readonly label: string;
    readonly description: string;
    /** On a line of its own: '4 of 5 left'. */
    readonly detail?: string;
  }[];
  readonly value: Choice;
  readonly onChange: (choice: Choice) => void;
  /** Below the cards. */
  readonly note?: string;
}

export function ChoiceCards<Choice extends string>(props: ChoiceCardsProps<Choice>) {
  const { legend, choices, value, onChange, note } = props;
  const name = useId();
  return (
    <Fieldset legend={legend}>
      <Box className="grid gap-8" style={{ gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' }}>
        {choices.map((choice) => (
          <label key={choice.value} className={classes.card}>
            <input
              type="radio"
              name={name}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
              aria-label={choice.label}
            />
            <span className="medium">{choice.label}</span>
            <span className="muted tiny">{choice.description}</span>
            {choice.detail !== undefined && (
              <Box component="span" mt="auto" pt={4} className="faint tiny figures">
                {choice.detail}
              </Box>
            )}
          </label>
        ))}
      </Box>
      {note !== undefined && (
        <Text fz="xs" c="dimmed" mt={6}>
          {note}
        </Text>
      )}
    </Fieldset>
  );
}
