/** Builds answer templates from a resolution, with gaps for readings. */
import type { PropertyValue } from '#contracts/public/values';
import type { PreparedFeature } from './prepared-artifact.ts';
import type { Hole, Resolution, Template } from './resolution.ts';

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

/** The text of one feature: its slug and its properties, as one member of an object. */
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
  readonly #holes: Hole[] = [];
  readonly #denied: string[] = [];
  #open: string[] = [];

  text(text: string): void {
    this.#open.push(text);
  }

  feature(resolution: Resolution, { slug, properties }: PreparedFeature): void {
    if (properties.length === 0) {
      this.#open.push(JSON.stringify(slug), ':{"properties":{}}');
      return;
    }
    let isDenied = false;
    for (const property of properties) {
      this.#open.push(property.lead);
      const choice = resolution.choices[property.index];
      if (choice === undefined) continue;
      if (typeof choice.value === 'object') {
        this.#close();
        this.#holes.push({ property, choice });
      } else if (choice.text !== null) this.#open.push(choice.text);
      isDenied ||= isDenial(choice.value);
    }
    this.#open.push('}}');
    if (isDenied) this.#denied.push(slug);
  }

  finish(): Template {
    this.#close();
    return { segments: this.#segments, holes: this.#holes, denied: this.#denied };
  }

  #close(): void {
    this.#segments.push(this.#open.join(''));
    this.#open = [];
  }
}

function isDenial(value: PropertyValue): boolean {
  return value === false || (typeof value === 'object' && value.state === 'off');
}
