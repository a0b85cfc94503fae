CREATE TABLE `customer_balance` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`environment_id` text,
	`customer_identifier` text NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL,
	`created_by_user_id` text,
	`created_by_key` text,
	`name` text,
	`property_id` text NOT NULL,
	`amount` integer NOT NULL,
	`taken_back` integer DEFAULT 0 NOT NULL,
	`category` text NOT NULL,
	`source` text NOT NULL,
	`integration_id` text,
	`livemode` integer,
	`payment_id` text,
	`payment_line` text DEFAULT '' NOT NULL,
	`cost_basis` text,
	`starts_at` integer NOT NULL,
	`ends_at` integer DEFAULT 9000000000000000 NOT NULL,
	`priority` integer DEFAULT 50 NOT NULL,
	`needs_plan` integer DEFAULT false NOT NULL,
	`is_frozen` integer DEFAULT false NOT NULL,
	`closed_at` integer,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`environment_id`) REFERENCES `environment`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `customer_balance_name` ON `customer_balance` (`org_id`,`customer_identifier`,`name`,`environment_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `customer_balance_everywhere` ON `customer_balance` (`org_id`,`customer_identifier`,`name`) WHERE environment_id IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `customer_balance_payment` ON `customer_balance` (`integration_id`,`payment_id`,`payment_line`);--> statement-breakpoint
CREATE INDEX `customer_balance_environment` ON `customer_balance` (`org_id`,`environment_id`);--> statement-breakpoint
CREATE INDEX `customer_balance_open` ON `customer_balance` (`org_id`,`customer_identifier`,`ends_at`) WHERE closed_at IS NULL;--> statement-breakpoint
CREATE INDEX `customer_balance_end` ON `customer_balance` (`ends_at`) WHERE closed_at IS NULL AND ends_at < 9000000000000000;--> statement-breakpoint
ALTER TABLE `customer_grant` ADD `anchor_at` integer;