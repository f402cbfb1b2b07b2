import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Starts a small YARN, writes its configuration, and stops when its standard input ends: with the
 * process that started it, at the latest.
 *
 * <p>Run from source, on the class path of Hadoop's nodes: {@code java -cp $(cat target/classpath)
 * StartYarn.java directory}.
 */
public final class StartYarn {
  private StartYarn() {}

  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    Configuration conf = new YarnConfiguration();
    conf.set("hadoop.tmp.dir", directory.resolve("tmp").toString());
    conf.set("yarn.app.mapreduce.am.staging-dir", directory.resolve("staging").toString());
    conf.setInt("yarn.nodemanager.resource.memory-mb", 2048);
    conf.setInt("yarn.scheduler.minimum-allocation-mb", 128);
    conf.setBoolean("yarn.nodemanager.vmem-check-enabled", false);
    conf.setFloat(
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", 99.9f);
    conf.set("yarn.resourcemanager.hostname", "localhost");
    conf.set("mapreduce.jobhistory.address", "localhost:0");
    conf.set("mapreduce.jobhistory.webapp.address", "localhost:0");
    conf.set("mapreduce.jobhistory.admin.address", "localhost:0");
    try (MiniMRYarnCluster yarn = new MiniMRYarnCluster("kudu-mapreduce", 1)) {
      yarn.init(conf);
      yarn.start();
      Path written = directory.resolve("yarn-conf.xml.part");
      try (OutputStream out = Files.newOutputStream(written)) {
        yarn.getConfig().writeXml(out);
      }
      Files.move(written, directory.resolve("yarn-conf.xml"), StandardCopyOption.ATOMIC_MOVE);
      System.in.transferTo(OutputStream.nullOutputStream());
    }
    System.exit(0); // a few of Hadoop's threads would stay
  }
}
