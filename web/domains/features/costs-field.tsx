/** What each counted one of a meter takes from another meter: credits that several features draw on. */
import { Box, Fieldset, Flex, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { Feature } from '#contracts/console/features';
import { countsResources } from '#engine/values/counts-resources';
import { useOrgId } from '#web/session/organisation.tsx';
import { NumberField } from '#web/values/number-field.tsx';
import { featuresQuery } from './queries.ts';
import type { PropertyForm } from './use-property-form.ts';

const BOUNDS = { min: 0.001, max: 1_000_000, allowDecimal: true };

/** Nothing where the workspace has no other meter that could pay. */
export function CostsField({ form }: { form: PropertyForm }) {
  const { data: features = [] } = useQuery(featuresQuery(useOrgId()));
  const { values, errors, set, opening } = form;
  const { costs } = values;
  const id = useId();
  const ownId = opening.kind === 'new' ? null : opening.property.id;
  const payers = payersOf(features, ownId, costs?.propertyId);
  if (payers.length === 0) return null;
  const error = errors['costs.per'] ?? errors['costs.propertyId'] ?? errors.costs;
  return (
    <Fieldset legend="Costs">
      <Flex gap="8px" wrap="wrap" align="center">
        {costs !== null && (
          <>
            <span>Each one costs</span>
            <NumberField
              label="How much each one costs"
              value={costs.per}
              onChange={(per) => set({ costs: { ...costs, per } })}
              bounds={BOUNDS}
              width={9}
              isInvalid={errors['costs.per'] !== undefined}
              describedBy={error && id}
            />
            <span>of</span>
          </>
        )}
        <Select
          aria-label="What pays"
          aria-describedby={error && id}
          searchable={payers.length > 8}
          openOnFocus={false}
          style={{ flex: '1 1 200px' }}
          allowDeselect={false}
          data={[NOTHING, ...payers]}
          value={costs?.propertyId ?? NOTHING.value}
          error={errors['costs.propertyId'] !== undefined}
          onChange={(propertyId) =>
            set({
              costs:
                propertyId === null || propertyId === NOTHING.value
                  ? null
                  : { propertyId, per: costs === null ? 1 : costs.per },
            })
          }
        />
      </Flex>
      {error !== undefined && (
        <Box id={id} component="p" mt={5} mb={0} fz="xs" c="var(--denied)">
          {error}
        </Box>
      )}
      <Text fz="xs" c="dimmed" mt={6}>
        {costs === null
          ? 'Counting can also take credits, or any other meter’s amount.'
          : 'Each call counts on both meters, rounded up, or on neither.'}
      </Text>
    </Fieldset>
  );
}

const NOTHING: Choice = { value: 'nothing', label: 'Nothing' };

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** The name of a meter: 'AI › Credits'. */
export function payerName(features: readonly Feature[], propertyId: string): string {
  return (
    payersOf(features, null, propertyId).find(({ value }) => value === propertyId)?.label ?? 'a deleted meter'
  );
}

/** Other meters of amounts that cost nothing themselves, and the one that is chosen. */
function payersOf(
  features: readonly Feature[],
  ownId: string | null,
  chosenId: string | undefined,
): readonly Choice[] {
  return features.flatMap((feature) =>
    feature.properties
      .filter(
        ({ id, type, value, costs }) =>
          id !== ownId &&
          type === 'meterable' &&
          (id === chosenId || (costs === null && !countsResources(value))),
      )
      .map(({ id, name }) => ({ value: id, label: `${feature.name} › ${name}` })),
  );
}
