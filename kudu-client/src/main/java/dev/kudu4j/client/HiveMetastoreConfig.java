package dev.kudu4j.client;

/** The Hive Metastore configuration of a cluster. */
public final class HiveMetastoreConfig {
  private final String hiveMetastoreUris;
  private final boolean hiveMetastoreSaslEnabled;
  private final String hiveMetastoreUuid;

  HiveMetastoreConfig(String uris, boolean saslEnabled, String uuid) {
    this.hiveMetastoreUris = uris;
    this.hiveMetastoreSaslEnabled = saslEnabled;
    this.hiveMetastoreUuid = uuid;
  }

  public String getHiveMetastoreUris() {
    return hiveMetastoreUris;
  }

  public boolean getHiveMetastoreSaslEnabled() {
    return hiveMetastoreSaslEnabled;
  }

  public String getHiveMetastoreUuid() {
    return hiveMetastoreUuid;
  }
}
