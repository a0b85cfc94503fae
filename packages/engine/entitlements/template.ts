/** Builds answer templates from a resolution, with gaps for readings. */
import type { Denial } from '#contracts/public/verdict';
import type { PreparedFeature } from './prepared-artifact.ts';
import type { Hole, Resolution, Template, VerdictGap } from './resolution.ts';
import { ALLOWED_TEXT, denialReason, isFeatureOn, NO_METERS, verdictText } from './verdict.ts';

/** The text of all features with the braces around them. */
export function wholeTemplate(resolution: Resolution): Template {
  const known = resolution.made.whole;
  if (known !== null) return known;
  const builder = new TemplateBuilder();
  builder.text('{');
  resolution.prepared.features.forEach((feature, place) => {
    if (place > 0) builder.text(',');
    builder.feature(resolution, feature);
  });
  builder.text('}');
  const template = builder.finish();
  resolution.made.whole = template;
  return template;
}

/** The text of one feature: its slug, its properties and its verdict, as one member of an object. */
export function featureTemplate(resolution: Resolution, feature: PreparedFeature): Template {
  const known = resolution.made.features.get(feature.index);
  if (known !== undefined) return known;
  const builder = new TemplateBuilder();
  builder.feature(resolution, feature);
  const template = builder.finish();
  resolution.made.features.set(feature.index, template);
  return template;
}

class TemplateBuilder {
  readonly #segments: string[] = [];
  readonly #gaps: (Hole | VerdictGap)[] = [];
  readonly #denied: Denial[] = [];
  #open: string[] = [];

  text(text: string): void {
    this.#open.push(text);
  }

  feature(resolution: Resolution, feature: PreparedFeature): void {
    const { slug, properties } = feature;
    if (properties.length === 0) {
      this.#open.push(JSON.stringify(slug), ':{"properties":{}', ALLOWED_TEXT, '}');
      return;
    }
    let hasMeters = false;
    for (const property of properties) {
      this.#open.push(property.lead);
      const choice = resolution.choices[property.index];
      if (choice === undefined) continue;
      if (typeof choice.value === 'object') {
        this.#gap({ property, choice });
        hasMeters = true;
      } else if (choice.text !== null) this.#open.push(choice.text);
    }
    this.#open.push('}');
    const isOn = isFeatureOn(resolution, feature);
    if (hasMeters) this.#gap({ choice: null, slug, isOn });
    else {
      const reason = denialReason(isOn, NO_METERS, null);
      this.#open.push(verdictText(reason));
      if (reason !== null) this.#denied.push({ feature: slug, reason });
    }
    this.#open.push('}');
  }

  finish(): Template {
    this.#close();
    const holes = this.#gaps.filter((gap): gap is Hole => gap.choice !== null);
    return { segments: this.#segments, gaps: this.#gaps, holes, denied: this.#denied };
  }

  #gap(gap: Hole | VerdictGap): void {
    this.#close();
    this.#gaps.push(gap);
  }

  #close(): void {
    this.#segments.push(this.#open.join(''));
    this.#open = [];
  }
}
