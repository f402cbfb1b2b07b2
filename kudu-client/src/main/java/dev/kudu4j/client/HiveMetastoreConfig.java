package dev.kudu4j.client;

/** How the cluster is integrated with a Hive Metastore. */
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
