package dev.kudu4j.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.api.Test;

class KuduTableSplitTest {
  @Test
  void isSerializedByHadoop() throws Exception {
    byte[] token = {1, 0, -1};
    KuduTableSplit split =
        new KuduTableSplit("piece 0", token, new String[] {"near", "far"}, 7, 1L << 40);
    DataOutputBuffer out = new DataOutputBuffer();
    split.write(out);
    KuduTableSplit read = ReflectionUtils.newInstance(KuduTableSplit.class, new Configuration());
    DataInputBuffer in = new DataInputBuffer();
    in.reset(out.getData(), out.getLength());
    read.readFields(in);
    assertThat(in.available()).isZero();
    assertThat(read.token()).isEqualTo(token);
    assertThat(read.getLocations()).containsExactly("near", "far");
    assertThat(read.getLength()).isEqualTo(7);
    assertThat(read.expectedRows()).isEqualTo(1L << 40);
    assertThat(read).hasToString("piece 0");
  }

  @Test
  void hostsAreNamesOfNodes() {
    HostNames names = new HostNames();
    assertThat(names.nameOf("node-7.example")).isEqualTo("node-7.example");
    assertThat(names.nameOf("127.0.0.1")).isEqualTo("localhost");
  }
}
