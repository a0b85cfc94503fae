/** A plan's values by feature, read-only. Properties at their defaults can be shown too. */
import { Skeleton, Switch } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { memo, type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Feature } from '#contracts/console/features';
import type { PlanProperties, PlanValue } from '#contracts/console/plans';
import { Section } from '#web/ui/section.tsx';
import { PropertyValueView } from '#web/values/property-value.tsx';
import { propertiesOf } from './check-draft.ts';
import classes from './feature-configuration.module.css';

export interface FeatureConfigurationProps {
  /** Undefined while loading. */
  readonly features: readonly Feature[] | undefined;
  /** Undefined while loading. */
  readonly properties: PlanProperties | undefined;
  /** The path of the editor. */
  readonly action: ReactNode;
}

export function FeatureConfiguration({ features, properties, action }: FeatureConfigurationProps) {
  const [search, setSearch] = useSearchParams();
  /** Updates immediately; the URL follows after a pause. */
  const [isShowingAll, setIsShowingAll] = useState(search.get('properties') === 'all');
  const isLoading = features === undefined || properties === undefined;
  const configured = new Map(Object.entries(properties ?? {}).filter(([, values]) => values.length > 0));
  const known = new Set(features?.map(({ id }) => id));
  const missing = isLoading ? [] : [...configured.keys()].filter((id) => !known.has(id));

  if (!isLoading && configured.size === 0) {
    return (
      <Section title="Feature Configuration" actions={action} isFlush>
        <div className={classes.empty}>
          <p>This plan has no features configured yet</p>
          <p>
            Choose the features that belong to it, and say how much of each: that is what your application is
            told about whoever has the plan.
          </p>
        </div>
      </Section>
    );
  }
  return (
    <Section
      title="Feature Configuration"
      description="The values that this plan gives to the features in it."
      actions={action}
      isFlush
    >
      <div className={classes.bar}>
        <Switch
          label="Show All Properties"
          checked={isShowingAll}
          onChange={({ currentTarget: { checked } }) => {
            setIsShowingAll(checked);
            setSearch(checked ? { properties: 'all' } : {}, { replace: true, preventScrollReset: true });
          }}
        />
      </div>
      <table
        className={classes.table}
        data-wide={isShowingAll || undefined}
        aria-label="Feature Configuration"
      >
        <thead>
          <tr>
            <th scope="col">Property</th>
            <th scope="col">Value</th>
            {isShowingAll && <th scope="col">Default</th>}
          </tr>
        </thead>
        {isLoading ? (
          <LoadingRows columns={isShowingAll ? 3 : 2} />
        ) : (
          <>
            {missing.map((featureId) => (
              <MissingRow key={featureId} featureId={featureId} columns={isShowingAll ? 3 : 2} />
            ))}
            {features.map((feature) => {
              const values = configured.get(feature.id);
              return values === undefined ? null : (
                <FeatureRows key={feature.id} feature={feature} values={values} isShowingAll={isShowingAll} />
              );
            })}
          </>
        )}
      </table>
    </Section>
  );
}

interface FeatureRowsProps {
  readonly feature: Feature;
  readonly values: readonly PlanValue[];
  readonly isShowingAll: boolean;
}

const FeatureRows = memo(function FeatureRows({ feature, values, isShowingAll }: FeatureRowsProps) {
  const planned = new Map(values.map(({ id, value }) => [id, value]));
  const rows = propertiesOf(feature).filter(({ id }) => isShowingAll || planned.has(id));
  const removed = values.length - propertiesOf(feature).filter(({ id }) => planned.has(id)).length;
  return (
    <tbody>
      <tr className={classes.group}>
        <th scope="rowgroup" colSpan={isShowingAll ? 3 : 2}>
          {feature.name}
          {removed > 0 && (
            <span className={classes.warning}>
              <IconAlertTriangle size={14} aria-hidden />
              This plan references a feature properties which has been removed
            </span>
          )}
        </th>
      </tr>
      {rows.map(({ id, name, propertyKey, type, bounds, value: fallback }) => {
        const value = planned.get(id);
        return (
          <tr key={id}>
            <th scope="row">
              <span className={classes.name}>{name}</span> <code className={classes.key}>{propertyKey}</code>
            </th>
            <td>
              {value === undefined ? (
                <span className="muted">Default</span>
              ) : (
                <PropertyValueView type={type} value={value} bounds={bounds} />
              )}
            </td>
            {isShowingAll && (
              <td>
                <PropertyValueView type={type} value={fallback} />
              </td>
            )}
          </tr>
        );
      })}
    </tbody>
  );
});

function MissingRow({ featureId, columns }: { featureId: string; columns: number }) {
  return (
    <tbody>
      <tr className={classes.group}>
        <th scope="rowgroup" colSpan={columns}>
          Missing Feature {featureId}
          <span className={classes.warning}>
            <IconAlertTriangle size={14} aria-hidden />
            This plan references a feature which has been removed
          </span>
        </th>
      </tr>
    </tbody>
  );
}

const LOADING = [220, 140, 180, 160, 200, 120];

function LoadingRows({ columns }: { columns: number }) {
  return (
    <tbody aria-busy="true">
      {LOADING.map((width) => (
        <tr key={width}>
          <td>
            <Skeleton height={13} width={width} maw="90%" />
          </td>
          <td colSpan={columns - 1}>
            <Skeleton height={13} width={width / 2} />
          </td>
        </tr>
      ))}
    </tbody>
  );
}
