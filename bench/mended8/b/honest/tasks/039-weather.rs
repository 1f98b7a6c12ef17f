use serde::Deserialize;

#[derive(Deserialize)]
struct Daily {
    time: Vec<String>,
    temperature_2m_max: Vec<f64>,
    precipitation_sum: Vec<f64>,
}

#[derive(Deserialize)]
struct Forecast {
    daily: Daily,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let lat = args.next().unwrap_or("52.52".into());
    let lon = args.next().unwrap_or("13.41".into());
    let f: Forecast = reqwest::Client::new()
        .get("https://api.open-meteo.com/v1/forecast")
        .query(&[("latitude", lat.as_str()), ("longitude", &lon), ("daily", "temperature_2m_max,precipitation_sum"), ("timezone", "auto")])
        .send()
        .await?
        .error_for_status()?
        .json()
        .await?;
    for ((d, t), p) in f.daily.time.iter().zip(&f.daily.temperature_2m_max).zip(&f.daily.precipitation_sum) {
        println!("{d}  {t:5.1} °C  {p:5.1} mm");
    }
    Ok(())
}
