use open_feature::{EvaluationContext, OpenFeature};
use open_feature_ofrep::{OfrepOptions, OfrepProvider};
use reqwest::header::{HeaderMap, AUTHORIZATION};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let key = std::env::var("TESSERA_KEY")?;
    let mut headers = HeaderMap::new();
    headers.insert(AUTHORIZATION, format!("Bearer {key}").parse()?);
    let provider = OfrepProvider::new(OfrepOptions {
        base_url: "https://tessera.example".to_string(),
        headers,
        ..Default::default()
    })
    .await?;
    OpenFeature::singleton_mut().await.set_provider(provider).await;

    let client = OpenFeature::singleton().await.create_client();
    let user = EvaluationContext::default().with_targeting_key("ada@example.com");
    let can_export = client.get_bool_value("data-exports", Some(&user), None).await.unwrap_or(false);
    let max_dashboards = client.get_int_value("dashboards.maxDashboards", Some(&user), None).await.unwrap_or(3);
    println!("{can_export} {max_dashboards}");
    Ok(())
}
