CREATE TABLE `stripe_price` (
	`integration_id` text NOT NULL,
	`org_id` text NOT NULL,
	`id` text NOT NULL,
	`product_id` text NOT NULL,
	`name` text,
	`currency` text NOT NULL,
	`amount` integer,
	`interval` text NOT NULL,
	`interval_count` integer NOT NULL,
	PRIMARY KEY(`integration_id`, `id`),
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `stripe_price_product` ON `stripe_price` (`org_id`,`integration_id`,`product_id`);--> statement-breakpoint
ALTER TABLE `plan` ADD `is_public` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `plan_public` ON `plan` (`id`) WHERE is_public;--> statement-breakpoint
ALTER TABLE `stripe_product` ADD `prices_read_at` integer;