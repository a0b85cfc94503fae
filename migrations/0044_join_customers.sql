CREATE TABLE `customer_source` (
	`environment_id` text NOT NULL,
	`identifier` text NOT NULL,
	`integration_id` text NOT NULL,
	`livemode` integer NOT NULL,
	`customer_id` text NOT NULL,
	`org_id` text NOT NULL,
	`joined_at` integer NOT NULL,
	PRIMARY KEY(`environment_id`, `identifier`, `integration_id`, `livemode`),
	FOREIGN KEY (`environment_id`) REFERENCES `environment`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `customer_source_customer` ON `customer_source` (`environment_id`,`integration_id`,`customer_id`);--> statement-breakpoint
CREATE INDEX `customer_source_org` ON `customer_source` (`org_id`,`customer_id`);--> statement-breakpoint
CREATE INDEX `customer_source_identifier` ON `customer_source` (`org_id`,`identifier`);