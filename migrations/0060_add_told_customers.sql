CREATE TABLE `webhook_customer` (
	`environment_id` text NOT NULL,
	`customer` text NOT NULL,
	`org_id` text NOT NULL,
	`facts` text NOT NULL,
	`version` integer NOT NULL,
	`told_at` integer NOT NULL,
	PRIMARY KEY(`environment_id`, `customer`),
	FOREIGN KEY (`environment_id`) REFERENCES `environment`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `webhook_customer_org` ON `webhook_customer` (`org_id`);