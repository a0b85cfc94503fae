CREATE TABLE `stripe_top_up` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`integration_id` text NOT NULL,
	`product_id` text NOT NULL,
	`price_id` text NOT NULL,
	`price_name` text NOT NULL,
	`property_id` text NOT NULL,
	`amount` integer NOT NULL,
	`category` text NOT NULL,
	`priority` integer NOT NULL,
	`lasts_months` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `stripe_top_up_price` ON `stripe_top_up` (`integration_id`,`price_id`);--> statement-breakpoint
CREATE INDEX `stripe_top_up_org` ON `stripe_top_up` (`org_id`);--> statement-breakpoint
ALTER TABLE `customer_balance` ADD `payment_intent` text;--> statement-breakpoint
CREATE INDEX `customer_balance_intent` ON `customer_balance` (`integration_id`,`payment_intent`) WHERE payment_intent IS NOT NULL;--> statement-breakpoint
ALTER TABLE `stripe_integration` ADD `payments_read` text;