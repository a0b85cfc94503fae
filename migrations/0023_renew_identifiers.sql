CREATE TABLE `customer_renewal` (
	`org_id` text NOT NULL,
	`identifier` text NOT NULL,
	`reason` text NOT NULL,
	PRIMARY KEY(`org_id`, `identifier`, `reason`),
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `customer` ADD `moved_to` text;--> statement-breakpoint
INSERT INTO `customer_renewal` (`org_id`, `identifier`, `reason`)
SELECT `org_id`, `identifier`, 'spelling' FROM (
	SELECT `org_id`, `identifier` FROM `customer`
	UNION SELECT `org_id`, `identifier` FROM `known_customer`
	UNION SELECT `org_id`, `customer_identifier` FROM `customer_grant`
	UNION SELECT `org_id`, `customer_identifier` FROM `customer_override`
	UNION SELECT `org_id`, `email` FROM `stripe_customer`
) WHERE `identifier` GLOB '*[^ -~]*'
UNION ALL
SELECT `org_id`, `id`, 'accounts' FROM `stripe_customer` WHERE `deleted_at` IS NULL GROUP BY `org_id`, `id` HAVING count(*) > 1;
