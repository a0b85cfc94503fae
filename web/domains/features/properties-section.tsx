/** A feature's properties: the custom ones, and separately the system properties that every feature has. */
import { Box, Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import { type Feature, type FeatureProperty, MAX_PROPERTIES } from '#contracts/console/features';
import { hasSearchField } from '#web/ui/lists/has-search-field.ts';
import { matchesSearch } from '#web/ui/lists/matches-search.ts';
import { SearchField } from '#web/ui/lists/search-field.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { DeletePropertyDialog } from './delete-property-dialog.tsx';
import { PropertiesTable } from './properties-table.tsx';
import { PropertyDialog } from './property-dialog.tsx';
import type { PropertyOpening } from './use-property-form.ts';

export interface PropertiesSectionProps {
  /** Undefined while it loads. */
  readonly feature: Feature | undefined;
}

export function PropertiesSection({ feature }: PropertiesSectionProps) {
  const [opening, setOpening] = useState<PropertyOpening | null>(null);
  const [doomed, setDoomed] = useState<FeatureProperty | null>(null);
  const [search, setSearch] = useState('');
  const edit = useCallback((property: FeatureProperty) => setOpening({ kind: 'existing', property }), []);
  const editSystem = useCallback((property: FeatureProperty) => setOpening({ kind: 'system', property }), []);

  const shown = feature?.properties.filter((property) => matches(property, search));
  const count = feature?.properties.length ?? 0;
  const isFull = count >= MAX_PROPERTIES;
  return (
    <>
      <Section
        title="Properties"
        description="Values your app receives for this feature. Plans override the default."
        isFlush
        actions={
          <Button
            variant="default"
            leftSection={<IconPlus size={15} aria-hidden />}
            disabled={isFull || feature === undefined}
            title={isFull ? `A feature can have at most ${MAX_PROPERTIES} properties` : undefined}
            onClick={() => setOpening({ kind: 'new' })}
          >
            Add a property
          </Button>
        }
      >
        {hasSearchField(count, search) && (
          <SearchField
            maw={{ sm: 360 }}
            py={10}
            px={20}
            label="properties"
            placeholder="Search by name or key"
            text={search}
            onText={setSearch}
          />
        )}
        {feature !== undefined && count === 0 ? (
          <Box component="p" m={0} c="dimmed" ta="center" py={28} px={20}>
            No properties yet. Without properties, the feature is on or off. Add one to let plans set limits
            and values.
          </Box>
        ) : shown?.length === 0 ? (
          <Box component="p" m={0} c="dimmed" ta="center" py={28} px={20}>
            No results
          </Box>
        ) : (
          <PropertiesTable label="Properties" properties={shown} onEdit={edit} onDelete={setDoomed} />
        )}
      </Section>
      <Section
        title="System properties"
        description="Every feature has these. Choose their default, and which value wins when several plans set one."
        isFlush
      >
        <PropertiesTable
          label="System properties"
          properties={feature?.systemFeatureProperties}
          loadingRows={1}
          onEdit={editSystem}
        />
      </Section>
      {feature && (
        <>
          <PropertyDialog feature={feature} opening={opening} onClose={() => setOpening(null)} />
          <DeletePropertyDialog feature={feature} property={doomed} onClose={() => setDoomed(null)} />
        </>
      )}
    </>
  );
}

function matches({ name, propertyKey }: FeatureProperty, search: string): boolean {
  return matchesSearch(`${name}\n${propertyKey}`, search);
}
