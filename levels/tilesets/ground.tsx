<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.10.2" name="ground" tilewidth="32" tileheight="32" tilecount="192" columns="16">
 <image source="ground.png" width="512" height="384"/>
 <tile id="0" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="1" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.25"/>
   <property name="cover" type="int" value="1"/>
   <property name="ground" value="field"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="2" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="road"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="3" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="true"/>
   <property name="cost" type="float" value="2.0"/>
   <property name="cover" type="int" value="2"/>
   <property name="ground" value="wood"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="4" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="5" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="2.0"/>
   <property name="cover" type="int" value="2"/>
   <property name="ground" value="reeds"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="6" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="stone"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="7" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="gravel"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="8" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="true"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="3"/>
   <property name="ground" value="wall"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="9" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="bridge_stone"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="10" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="bridge_plank"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="11" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="floor"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="12" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="void"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="13" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="stone"/>
   <property name="walkable" type="bool" value="true"/>
   <property name="noise" type="float" value="2.5"/>
  </properties>
 </tile>
 <tile id="16" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="17" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="18" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="19" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="20" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="21" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="22" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="23" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.25"/>
   <property name="cover" type="int" value="1"/>
   <property name="ground" value="field"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="24" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="25" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="26" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="27" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.25"/>
   <property name="cover" type="int" value="1"/>
   <property name="ground" value="field"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="28" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="29" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.25"/>
   <property name="cover" type="int" value="1"/>
   <property name="ground" value="field"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="30" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.25"/>
   <property name="cover" type="int" value="1"/>
   <property name="ground" value="field"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="31" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.25"/>
   <property name="cover" type="int" value="1"/>
   <property name="ground" value="field"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="32" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="33" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="34" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="35" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="36" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="37" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="38" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="39" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="road"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="40" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="41" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="42" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="43" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="road"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="44" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="45" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="road"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="46" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="road"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="47" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="road"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="48" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="49" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="50" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="51" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="52" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="53" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="54" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="55" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="true"/>
   <property name="cost" type="float" value="2.0"/>
   <property name="cover" type="int" value="2"/>
   <property name="ground" value="wood"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="56" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="57" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="58" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="59" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="true"/>
   <property name="cost" type="float" value="2.0"/>
   <property name="cover" type="int" value="2"/>
   <property name="ground" value="wood"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="60" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="61" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="true"/>
   <property name="cost" type="float" value="2.0"/>
   <property name="cover" type="int" value="2"/>
   <property name="ground" value="wood"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="62" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="true"/>
   <property name="cost" type="float" value="2.0"/>
   <property name="cover" type="int" value="2"/>
   <property name="ground" value="wood"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="63" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="true"/>
   <property name="cost" type="float" value="2.0"/>
   <property name="cover" type="int" value="2"/>
   <property name="ground" value="wood"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="64" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="65" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="66" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="67" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="68" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="69" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="70" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="71" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="72" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="73" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="74" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="75" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="76" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="77" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="78" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="79" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="80" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="81" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="82" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="83" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="84" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="85" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="86" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="87" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="2.0"/>
   <property name="cover" type="int" value="2"/>
   <property name="ground" value="reeds"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="88" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="89" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="90" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="91" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="2.0"/>
   <property name="cover" type="int" value="2"/>
   <property name="ground" value="reeds"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="92" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="93" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="2.0"/>
   <property name="cover" type="int" value="2"/>
   <property name="ground" value="reeds"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="94" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="2.0"/>
   <property name="cover" type="int" value="2"/>
   <property name="ground" value="reeds"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="95" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="2.0"/>
   <property name="cover" type="int" value="2"/>
   <property name="ground" value="reeds"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="96" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="97" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="98" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="99" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="100" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="101" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="102" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="103" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="stone"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="104" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="105" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="106" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="107" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="stone"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="108" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="109" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="stone"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="110" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="stone"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="111" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="stone"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="112" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="113" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="114" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="115" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="116" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="117" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="118" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="119" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="gravel"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="120" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="121" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="122" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="123" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="gravel"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="124" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="125" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="gravel"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="126" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="gravel"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="127" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="gravel"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="128" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="129" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="130" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="131" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="132" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="133" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="134" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="135" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="true"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="3"/>
   <property name="ground" value="wall"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="136" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="137" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="138" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="139" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="true"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="3"/>
   <property name="ground" value="wall"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="140" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="141" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="true"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="3"/>
   <property name="ground" value="wall"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="142" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="true"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="3"/>
   <property name="ground" value="wall"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="143" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="true"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="3"/>
   <property name="ground" value="wall"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="144" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="145" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="146" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="147" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="148" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="149" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="150" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="151" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="bridge_stone"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="152" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="153" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="154" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="155" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="bridge_stone"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="156" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="157" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="bridge_stone"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="158" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="bridge_stone"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="159" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="bridge_stone"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="160" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="161" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="162" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="163" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="164" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="165" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="166" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="167" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="bridge_plank"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="168" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="169" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="170" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="171" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="bridge_plank"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="172" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="water"/>
   <property name="walkable" type="bool" value="false"/>
  </properties>
 </tile>
 <tile id="173" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="bridge_plank"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="174" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="bridge_plank"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="175" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="bridge_plank"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="176" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="177" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="178" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="179" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="180" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="181" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="182" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="183" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="floor"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="184" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="185" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="186" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="187" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="floor"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="188" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="grass"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="189" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="floor"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="190" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="floor"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="191" type="ground">
  <properties>
   <property name="blocks_sight" type="bool" value="false"/>
   <property name="cost" type="float" value="1.0"/>
   <property name="cover" type="int" value="0"/>
   <property name="ground" value="floor"/>
   <property name="walkable" type="bool" value="true"/>
  </properties>
 </tile>
 <wangsets>
  <wangset name="field on grass" type="corner" tile="1">
   <wangcolor name="grass" color="#b4bc93" tile="0" probability="1"/>
   <wangcolor name="field" color="#c9be97" tile="1" probability="1"/>
   <wangtile tileid="16" wangid="0,1,0,1,0,1,0,1"/>
   <wangtile tileid="17" wangid="0,1,0,1,0,1,0,2"/>
   <wangtile tileid="18" wangid="0,2,0,1,0,1,0,1"/>
   <wangtile tileid="19" wangid="0,2,0,1,0,1,0,2"/>
   <wangtile tileid="20" wangid="0,1,0,2,0,1,0,1"/>
   <wangtile tileid="21" wangid="0,1,0,2,0,1,0,2"/>
   <wangtile tileid="22" wangid="0,2,0,2,0,1,0,1"/>
   <wangtile tileid="23" wangid="0,2,0,2,0,1,0,2"/>
   <wangtile tileid="24" wangid="0,1,0,1,0,2,0,1"/>
   <wangtile tileid="25" wangid="0,1,0,1,0,2,0,2"/>
   <wangtile tileid="26" wangid="0,2,0,1,0,2,0,1"/>
   <wangtile tileid="27" wangid="0,2,0,1,0,2,0,2"/>
   <wangtile tileid="28" wangid="0,1,0,2,0,2,0,1"/>
   <wangtile tileid="29" wangid="0,1,0,2,0,2,0,2"/>
   <wangtile tileid="30" wangid="0,2,0,2,0,2,0,1"/>
   <wangtile tileid="31" wangid="0,2,0,2,0,2,0,2"/>
   <wangtile tileid="0" wangid="0,1,0,1,0,1,0,1"/>
   <wangtile tileid="1" wangid="0,2,0,2,0,2,0,2"/>
  </wangset>
  <wangset name="road on grass" type="corner" tile="2">
   <wangcolor name="grass" color="#b4bc93" tile="0" probability="1"/>
   <wangcolor name="road" color="#d6c6a2" tile="2" probability="1"/>
   <wangtile tileid="32" wangid="0,1,0,1,0,1,0,1"/>
   <wangtile tileid="33" wangid="0,1,0,1,0,1,0,2"/>
   <wangtile tileid="34" wangid="0,2,0,1,0,1,0,1"/>
   <wangtile tileid="35" wangid="0,2,0,1,0,1,0,2"/>
   <wangtile tileid="36" wangid="0,1,0,2,0,1,0,1"/>
   <wangtile tileid="37" wangid="0,1,0,2,0,1,0,2"/>
   <wangtile tileid="38" wangid="0,2,0,2,0,1,0,1"/>
   <wangtile tileid="39" wangid="0,2,0,2,0,1,0,2"/>
   <wangtile tileid="40" wangid="0,1,0,1,0,2,0,1"/>
   <wangtile tileid="41" wangid="0,1,0,1,0,2,0,2"/>
   <wangtile tileid="42" wangid="0,2,0,1,0,2,0,1"/>
   <wangtile tileid="43" wangid="0,2,0,1,0,2,0,2"/>
   <wangtile tileid="44" wangid="0,1,0,2,0,2,0,1"/>
   <wangtile tileid="45" wangid="0,1,0,2,0,2,0,2"/>
   <wangtile tileid="46" wangid="0,2,0,2,0,2,0,1"/>
   <wangtile tileid="47" wangid="0,2,0,2,0,2,0,2"/>
   <wangtile tileid="0" wangid="0,1,0,1,0,1,0,1"/>
   <wangtile tileid="2" wangid="0,2,0,2,0,2,0,2"/>
  </wangset>
  <wangset name="wood on grass" type="corner" tile="3">
   <wangcolor name="grass" color="#b4bc93" tile="0" probability="1"/>
   <wangcolor name="wood" color="#7f9272" tile="3" probability="1"/>
   <wangtile tileid="48" wangid="0,1,0,1,0,1,0,1"/>
   <wangtile tileid="49" wangid="0,1,0,1,0,1,0,2"/>
   <wangtile tileid="50" wangid="0,2,0,1,0,1,0,1"/>
   <wangtile tileid="51" wangid="0,2,0,1,0,1,0,2"/>
   <wangtile tileid="52" wangid="0,1,0,2,0,1,0,1"/>
   <wangtile tileid="53" wangid="0,1,0,2,0,1,0,2"/>
   <wangtile tileid="54" wangid="0,2,0,2,0,1,0,1"/>
   <wangtile tileid="55" wangid="0,2,0,2,0,1,0,2"/>
   <wangtile tileid="56" wangid="0,1,0,1,0,2,0,1"/>
   <wangtile tileid="57" wangid="0,1,0,1,0,2,0,2"/>
   <wangtile tileid="58" wangid="0,2,0,1,0,2,0,1"/>
   <wangtile tileid="59" wangid="0,2,0,1,0,2,0,2"/>
   <wangtile tileid="60" wangid="0,1,0,2,0,2,0,1"/>
   <wangtile tileid="61" wangid="0,1,0,2,0,2,0,2"/>
   <wangtile tileid="62" wangid="0,2,0,2,0,2,0,1"/>
   <wangtile tileid="63" wangid="0,2,0,2,0,2,0,2"/>
   <wangtile tileid="0" wangid="0,1,0,1,0,1,0,1"/>
   <wangtile tileid="3" wangid="0,2,0,2,0,2,0,2"/>
  </wangset>
  <wangset name="water on grass" type="corner" tile="4">
   <wangcolor name="grass" color="#b4bc93" tile="0" probability="1"/>
   <wangcolor name="water" color="#8fb0b5" tile="4" probability="1"/>
   <wangtile tileid="64" wangid="0,1,0,1,0,1,0,1"/>
   <wangtile tileid="65" wangid="0,1,0,1,0,1,0,2"/>
   <wangtile tileid="66" wangid="0,2,0,1,0,1,0,1"/>
   <wangtile tileid="67" wangid="0,2,0,1,0,1,0,2"/>
   <wangtile tileid="68" wangid="0,1,0,2,0,1,0,1"/>
   <wangtile tileid="69" wangid="0,1,0,2,0,1,0,2"/>
   <wangtile tileid="70" wangid="0,2,0,2,0,1,0,1"/>
   <wangtile tileid="71" wangid="0,2,0,2,0,1,0,2"/>
   <wangtile tileid="72" wangid="0,1,0,1,0,2,0,1"/>
   <wangtile tileid="73" wangid="0,1,0,1,0,2,0,2"/>
   <wangtile tileid="74" wangid="0,2,0,1,0,2,0,1"/>
   <wangtile tileid="75" wangid="0,2,0,1,0,2,0,2"/>
   <wangtile tileid="76" wangid="0,1,0,2,0,2,0,1"/>
   <wangtile tileid="77" wangid="0,1,0,2,0,2,0,2"/>
   <wangtile tileid="78" wangid="0,2,0,2,0,2,0,1"/>
   <wangtile tileid="79" wangid="0,2,0,2,0,2,0,2"/>
   <wangtile tileid="0" wangid="0,1,0,1,0,1,0,1"/>
   <wangtile tileid="4" wangid="0,2,0,2,0,2,0,2"/>
  </wangset>
  <wangset name="reeds on grass" type="corner" tile="5">
   <wangcolor name="grass" color="#b4bc93" tile="0" probability="1"/>
   <wangcolor name="reeds" color="#97a07a" tile="5" probability="1"/>
   <wangtile tileid="80" wangid="0,1,0,1,0,1,0,1"/>
   <wangtile tileid="81" wangid="0,1,0,1,0,1,0,2"/>
   <wangtile tileid="82" wangid="0,2,0,1,0,1,0,1"/>
   <wangtile tileid="83" wangid="0,2,0,1,0,1,0,2"/>
   <wangtile tileid="84" wangid="0,1,0,2,0,1,0,1"/>
   <wangtile tileid="85" wangid="0,1,0,2,0,1,0,2"/>
   <wangtile tileid="86" wangid="0,2,0,2,0,1,0,1"/>
   <wangtile tileid="87" wangid="0,2,0,2,0,1,0,2"/>
   <wangtile tileid="88" wangid="0,1,0,1,0,2,0,1"/>
   <wangtile tileid="89" wangid="0,1,0,1,0,2,0,2"/>
   <wangtile tileid="90" wangid="0,2,0,1,0,2,0,1"/>
   <wangtile tileid="91" wangid="0,2,0,1,0,2,0,2"/>
   <wangtile tileid="92" wangid="0,1,0,2,0,2,0,1"/>
   <wangtile tileid="93" wangid="0,1,0,2,0,2,0,2"/>
   <wangtile tileid="94" wangid="0,2,0,2,0,2,0,1"/>
   <wangtile tileid="95" wangid="0,2,0,2,0,2,0,2"/>
   <wangtile tileid="0" wangid="0,1,0,1,0,1,0,1"/>
   <wangtile tileid="5" wangid="0,2,0,2,0,2,0,2"/>
  </wangset>
  <wangset name="stone on grass" type="corner" tile="6">
   <wangcolor name="grass" color="#b4bc93" tile="0" probability="1"/>
   <wangcolor name="stone" color="#a39c90" tile="6" probability="1"/>
   <wangtile tileid="96" wangid="0,1,0,1,0,1,0,1"/>
   <wangtile tileid="97" wangid="0,1,0,1,0,1,0,2"/>
   <wangtile tileid="98" wangid="0,2,0,1,0,1,0,1"/>
   <wangtile tileid="99" wangid="0,2,0,1,0,1,0,2"/>
   <wangtile tileid="100" wangid="0,1,0,2,0,1,0,1"/>
   <wangtile tileid="101" wangid="0,1,0,2,0,1,0,2"/>
   <wangtile tileid="102" wangid="0,2,0,2,0,1,0,1"/>
   <wangtile tileid="103" wangid="0,2,0,2,0,1,0,2"/>
   <wangtile tileid="104" wangid="0,1,0,1,0,2,0,1"/>
   <wangtile tileid="105" wangid="0,1,0,1,0,2,0,2"/>
   <wangtile tileid="106" wangid="0,2,0,1,0,2,0,1"/>
   <wangtile tileid="107" wangid="0,2,0,1,0,2,0,2"/>
   <wangtile tileid="108" wangid="0,1,0,2,0,2,0,1"/>
   <wangtile tileid="109" wangid="0,1,0,2,0,2,0,2"/>
   <wangtile tileid="110" wangid="0,2,0,2,0,2,0,1"/>
   <wangtile tileid="111" wangid="0,2,0,2,0,2,0,2"/>
   <wangtile tileid="0" wangid="0,1,0,1,0,1,0,1"/>
   <wangtile tileid="6" wangid="0,2,0,2,0,2,0,2"/>
  </wangset>
  <wangset name="gravel on grass" type="corner" tile="7">
   <wangcolor name="grass" color="#b4bc93" tile="0" probability="1"/>
   <wangcolor name="gravel" color="#c2b79b" tile="7" probability="1"/>
   <wangtile tileid="112" wangid="0,1,0,1,0,1,0,1"/>
   <wangtile tileid="113" wangid="0,1,0,1,0,1,0,2"/>
   <wangtile tileid="114" wangid="0,2,0,1,0,1,0,1"/>
   <wangtile tileid="115" wangid="0,2,0,1,0,1,0,2"/>
   <wangtile tileid="116" wangid="0,1,0,2,0,1,0,1"/>
   <wangtile tileid="117" wangid="0,1,0,2,0,1,0,2"/>
   <wangtile tileid="118" wangid="0,2,0,2,0,1,0,1"/>
   <wangtile tileid="119" wangid="0,2,0,2,0,1,0,2"/>
   <wangtile tileid="120" wangid="0,1,0,1,0,2,0,1"/>
   <wangtile tileid="121" wangid="0,1,0,1,0,2,0,2"/>
   <wangtile tileid="122" wangid="0,2,0,1,0,2,0,1"/>
   <wangtile tileid="123" wangid="0,2,0,1,0,2,0,2"/>
   <wangtile tileid="124" wangid="0,1,0,2,0,2,0,1"/>
   <wangtile tileid="125" wangid="0,1,0,2,0,2,0,2"/>
   <wangtile tileid="126" wangid="0,2,0,2,0,2,0,1"/>
   <wangtile tileid="127" wangid="0,2,0,2,0,2,0,2"/>
   <wangtile tileid="0" wangid="0,1,0,1,0,1,0,1"/>
   <wangtile tileid="7" wangid="0,2,0,2,0,2,0,2"/>
  </wangset>
  <wangset name="wall on grass" type="corner" tile="8">
   <wangcolor name="grass" color="#b4bc93" tile="0" probability="1"/>
   <wangcolor name="wall" color="#a9a296" tile="8" probability="1"/>
   <wangtile tileid="128" wangid="0,1,0,1,0,1,0,1"/>
   <wangtile tileid="129" wangid="0,1,0,1,0,1,0,2"/>
   <wangtile tileid="130" wangid="0,2,0,1,0,1,0,1"/>
   <wangtile tileid="131" wangid="0,2,0,1,0,1,0,2"/>
   <wangtile tileid="132" wangid="0,1,0,2,0,1,0,1"/>
   <wangtile tileid="133" wangid="0,1,0,2,0,1,0,2"/>
   <wangtile tileid="134" wangid="0,2,0,2,0,1,0,1"/>
   <wangtile tileid="135" wangid="0,2,0,2,0,1,0,2"/>
   <wangtile tileid="136" wangid="0,1,0,1,0,2,0,1"/>
   <wangtile tileid="137" wangid="0,1,0,1,0,2,0,2"/>
   <wangtile tileid="138" wangid="0,2,0,1,0,2,0,1"/>
   <wangtile tileid="139" wangid="0,2,0,1,0,2,0,2"/>
   <wangtile tileid="140" wangid="0,1,0,2,0,2,0,1"/>
   <wangtile tileid="141" wangid="0,1,0,2,0,2,0,2"/>
   <wangtile tileid="142" wangid="0,2,0,2,0,2,0,1"/>
   <wangtile tileid="143" wangid="0,2,0,2,0,2,0,2"/>
   <wangtile tileid="0" wangid="0,1,0,1,0,1,0,1"/>
   <wangtile tileid="8" wangid="0,2,0,2,0,2,0,2"/>
  </wangset>
  <wangset name="bridge_stone on water" type="corner" tile="9">
   <wangcolor name="water" color="#8fb0b5" tile="4" probability="1"/>
   <wangcolor name="bridge_stone" color="#b6ae9f" tile="9" probability="1"/>
   <wangtile tileid="144" wangid="0,1,0,1,0,1,0,1"/>
   <wangtile tileid="145" wangid="0,1,0,1,0,1,0,2"/>
   <wangtile tileid="146" wangid="0,2,0,1,0,1,0,1"/>
   <wangtile tileid="147" wangid="0,2,0,1,0,1,0,2"/>
   <wangtile tileid="148" wangid="0,1,0,2,0,1,0,1"/>
   <wangtile tileid="149" wangid="0,1,0,2,0,1,0,2"/>
   <wangtile tileid="150" wangid="0,2,0,2,0,1,0,1"/>
   <wangtile tileid="151" wangid="0,2,0,2,0,1,0,2"/>
   <wangtile tileid="152" wangid="0,1,0,1,0,2,0,1"/>
   <wangtile tileid="153" wangid="0,1,0,1,0,2,0,2"/>
   <wangtile tileid="154" wangid="0,2,0,1,0,2,0,1"/>
   <wangtile tileid="155" wangid="0,2,0,1,0,2,0,2"/>
   <wangtile tileid="156" wangid="0,1,0,2,0,2,0,1"/>
   <wangtile tileid="157" wangid="0,1,0,2,0,2,0,2"/>
   <wangtile tileid="158" wangid="0,2,0,2,0,2,0,1"/>
   <wangtile tileid="159" wangid="0,2,0,2,0,2,0,2"/>
   <wangtile tileid="4" wangid="0,1,0,1,0,1,0,1"/>
   <wangtile tileid="9" wangid="0,2,0,2,0,2,0,2"/>
  </wangset>
  <wangset name="bridge_plank on water" type="corner" tile="10">
   <wangcolor name="water" color="#8fb0b5" tile="4" probability="1"/>
   <wangcolor name="bridge_plank" color="#b09a78" tile="10" probability="1"/>
   <wangtile tileid="160" wangid="0,1,0,1,0,1,0,1"/>
   <wangtile tileid="161" wangid="0,1,0,1,0,1,0,2"/>
   <wangtile tileid="162" wangid="0,2,0,1,0,1,0,1"/>
   <wangtile tileid="163" wangid="0,2,0,1,0,1,0,2"/>
   <wangtile tileid="164" wangid="0,1,0,2,0,1,0,1"/>
   <wangtile tileid="165" wangid="0,1,0,2,0,1,0,2"/>
   <wangtile tileid="166" wangid="0,2,0,2,0,1,0,1"/>
   <wangtile tileid="167" wangid="0,2,0,2,0,1,0,2"/>
   <wangtile tileid="168" wangid="0,1,0,1,0,2,0,1"/>
   <wangtile tileid="169" wangid="0,1,0,1,0,2,0,2"/>
   <wangtile tileid="170" wangid="0,2,0,1,0,2,0,1"/>
   <wangtile tileid="171" wangid="0,2,0,1,0,2,0,2"/>
   <wangtile tileid="172" wangid="0,1,0,2,0,2,0,1"/>
   <wangtile tileid="173" wangid="0,1,0,2,0,2,0,2"/>
   <wangtile tileid="174" wangid="0,2,0,2,0,2,0,1"/>
   <wangtile tileid="175" wangid="0,2,0,2,0,2,0,2"/>
   <wangtile tileid="4" wangid="0,1,0,1,0,1,0,1"/>
   <wangtile tileid="10" wangid="0,2,0,2,0,2,0,2"/>
  </wangset>
  <wangset name="floor on grass" type="corner" tile="11">
   <wangcolor name="grass" color="#b4bc93" tile="0" probability="1"/>
   <wangcolor name="floor" color="#bba684" tile="11" probability="1"/>
   <wangtile tileid="176" wangid="0,1,0,1,0,1,0,1"/>
   <wangtile tileid="177" wangid="0,1,0,1,0,1,0,2"/>
   <wangtile tileid="178" wangid="0,2,0,1,0,1,0,1"/>
   <wangtile tileid="179" wangid="0,2,0,1,0,1,0,2"/>
   <wangtile tileid="180" wangid="0,1,0,2,0,1,0,1"/>
   <wangtile tileid="181" wangid="0,1,0,2,0,1,0,2"/>
   <wangtile tileid="182" wangid="0,2,0,2,0,1,0,1"/>
   <wangtile tileid="183" wangid="0,2,0,2,0,1,0,2"/>
   <wangtile tileid="184" wangid="0,1,0,1,0,2,0,1"/>
   <wangtile tileid="185" wangid="0,1,0,1,0,2,0,2"/>
   <wangtile tileid="186" wangid="0,2,0,1,0,2,0,1"/>
   <wangtile tileid="187" wangid="0,2,0,1,0,2,0,2"/>
   <wangtile tileid="188" wangid="0,1,0,2,0,2,0,1"/>
   <wangtile tileid="189" wangid="0,1,0,2,0,2,0,2"/>
   <wangtile tileid="190" wangid="0,2,0,2,0,2,0,1"/>
   <wangtile tileid="191" wangid="0,2,0,2,0,2,0,2"/>
   <wangtile tileid="0" wangid="0,1,0,1,0,1,0,1"/>
   <wangtile tileid="11" wangid="0,2,0,2,0,2,0,2"/>
  </wangset>
 </wangsets>
</tileset>
